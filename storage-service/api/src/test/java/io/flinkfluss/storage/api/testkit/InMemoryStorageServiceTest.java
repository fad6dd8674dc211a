package io.flinkfluss.storage.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InMemoryStorageServiceTest extends StorageServiceContract {
    private final ManualClock clock = new ManualClock(1_000);
    private final InMemoryStorageService service = new InMemoryStorageService(clock, Map.of());

    @Override
    protected StorageService service() {
        return service;
    }

    @Test
    void commitTimesComeFromTheClock() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        BucketId bucket = bucket(table, 0);
        append(bucket, row(1, "a", 1.0));
        clock.advance(Duration.ofSeconds(1));
        append(bucket, row(2, "b", 2.0));
        assertThat(service.offsets(List.of(bucket), new OffsetSpec.AtTime(1_001)))
                .containsEntry(bucket, 1L);
    }
}
