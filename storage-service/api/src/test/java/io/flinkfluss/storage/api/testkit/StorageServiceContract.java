package io.flinkfluss.storage.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What every storage service promises: extend it and give it your service. Each test makes its own
 * tables, so all may share one service.
 */
public abstract class StorageServiceContract extends KvContract {
    @Override
    protected abstract StorageService service();

    private static LakeTiering tiering(TableInfo table, long round, long end) {
        Map<BucketId, Long> ends = Map.of(bucket(table, 0), end, bucket(table, 1), 0L);
        return new LakeTiering(table.id(), round, 1000 + round, ends, 5000 + round, 4000 + round);
    }

    @Test
    public void lakeProgressGoesForward() {
        TableInfo table = newTable(LOG_SCHEMA);
        assertThat(service().lakeProgress().latest(table.id())).isEmpty();
        service().lakeProgress().register(tiering(table, 1, 10));
        service().lakeProgress().register(tiering(table, 2, 20));
        assertThat(service().lakeProgress().latest(table.id()))
                .isEqualTo(Optional.of(tiering(table, 2, 20)));
        service().lakeProgress().register(tiering(table, 2, 20));
        assertCode(
                ErrorCode.STALE_LAKE_PROGRESS,
                () -> service().lakeProgress().register(tiering(table, 1, 10)));
        assertThat(service().lakeProgress().latest(table.id()))
                .isEqualTo(Optional.of(tiering(table, 2, 20)));
    }

    @Test
    public void lakeProgressOfADroppedTableIsRefused() {
        TableInfo table = newTable(LOG_SCHEMA);
        service().admin().dropTable(table.path());
        assertCode(
                ErrorCode.TABLE_NOT_FOUND,
                () -> service().lakeProgress().register(tiering(table, 1, 10)));
    }
}
