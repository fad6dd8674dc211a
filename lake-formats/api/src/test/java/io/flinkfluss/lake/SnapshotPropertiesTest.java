package io.flinkfluss.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotPropertiesTest {
    private static final TableId TABLE = new TableId(7);

    @Test
    void aSnapshotIsReadAsItWasWritten() {
        Map<BucketId, Long> ends = Map.of(BucketId.of(TABLE, 0), 12L, BucketId.of(TABLE, 10), 3L);

        assertThat(SnapshotProperties.read(99, 500, SnapshotProperties.of(TABLE, 4, ends, 400)))
                .contains(new LakeSnapshot(TABLE, 4, 99, ends, 500, 400));
    }

    @Test
    void theOldestFormIsStillRead() {
        Map<String, String> stored =
                Map.of(
                        "fluss.format-version", "1",
                        "fluss.table-id", "7",
                        "fluss.round", "4",
                        "fluss.end-offsets", "0=12,10=3,5:1=8",
                        "fluss.tiered-up-to", "400");

        LakeSnapshot read = SnapshotProperties.read(99, 500, stored).orElseThrow();

        assertThat(read.endOffsets())
                .containsOnly(
                        Map.entry(BucketId.of(TABLE, 0), 12L),
                        Map.entry(BucketId.of(TABLE, 10), 3L),
                        Map.entry(new BucketId(TABLE, 5, 1), 8L));
    }

    @Test
    void aSnapshotOfOthersIsNotOurs() {
        assertThat(SnapshotProperties.read(99, 500, Map.of("operation", "append"))).isEmpty();
    }

    @Test
    void aNewerOrDamagedFormIsAClearError() {
        Map<String, String> newer = new HashMap<>(SnapshotProperties.of(TABLE, 4, Map.of(), 400));
        newer.put(SnapshotProperties.VERSION, "2");
        assertThatThrownBy(() -> SnapshotProperties.read(99, 500, newer))
                .hasMessageContaining("lake snapshot 99")
                .hasMessageContaining("this version reads 1");

        Map<String, String> damaged = new HashMap<>(SnapshotProperties.of(TABLE, 4, Map.of(), 400));
        damaged.put(SnapshotProperties.END_OFFSETS, "0=1,oops");
        assertThatThrownBy(() -> SnapshotProperties.read(99, 500, damaged))
                .hasMessageContaining("'oops' is not of the form");
    }

    @Test
    void aFormatThatIsNotThereIsNamedWithThoseThatAre() {
        assertThatThrownBy(() -> LakeFormats.open(Map.of("format", "paimon")))
                .hasMessageContaining("'paimon' is not on the class path; found: [");
        assertThatThrownBy(() -> LakeFormats.open(Map.of()))
                .hasMessageContaining("datalake.format is empty");
    }
}
