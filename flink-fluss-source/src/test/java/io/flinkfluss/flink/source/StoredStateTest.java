package io.flinkfluss.flink.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.flink.source.enumerator.EnumeratorForms;
import io.flinkfluss.flink.source.enumerator.EnumeratorState;
import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.KvSplit;
import io.flinkfluss.flink.source.split.LogSplit;
import io.flinkfluss.flink.source.split.SplitForms;
import io.flinkfluss.flink.state.StateSerializer;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * State that a release wrote is readable for ever. A sample in {@code state/} is never changed; a
 * new version gets a new sample.
 */
class StoredStateTest {
    private static final TableId TABLE = new TableId(300);
    private static final LogSplit LOG = new LogSplit(BucketId.of(TABLE, 2), 1_000_000, 2_000_000);
    private static final LogSplit ENDLESS =
            new LogSplit(BucketId.of(TABLE, 0), 0, ScanRequest.UNBOUNDED);
    private static final KvSplit KV =
            new KvSplit(
                    new BucketId(TABLE, 4, 1),
                    17,
                    new byte[] {1, -1, 0},
                    400,
                    5_000_000_000L,
                    ScanRequest.UNBOUNDED);
    private static final EnumeratorState ENUMERATOR =
            new EnumeratorState(TABLE, List.of(LOG, KV), 17, Set.of(KV.bucket()));

    @Test
    void splits() throws IOException {
        StateSerializer<FlussSplit> serializer = SplitForms.serializer();
        assertStored(serializer, "split-log-v1", LOG);
        assertStored(serializer, "split-log-endless-v1", ENDLESS);
        assertStored(serializer, "split-kv-v1", KV);
    }

    @Test
    void enumerators() throws IOException {
        assertStored(EnumeratorForms.serializer(), "enumerator-v1", ENUMERATOR);
        assertStored(
                EnumeratorForms.serializer(),
                "enumerator-without-snapshot-v1",
                new EnumeratorState(TABLE, List.of(), -1, Set.of()));
    }

    private static <T> void assertStored(StateSerializer<T> serializer, String sample, T value)
            throws IOException {
        byte[] written = serializer.serialize(value);
        assertThat(serializer.deserialize(serializer.getVersion(), written)).isEqualTo(value);
        String stored = read(sample);
        assertThat(HexFormat.of().formatHex(written)).as("what is written today").isEqualTo(stored);
        assertThat(serializer.deserialize(1, HexFormat.of().parseHex(stored))).isEqualTo(value);
    }

    private static String read(String sample) throws IOException {
        String resource = "/state/" + sample + ".hex";
        try (InputStream stream = StoredStateTest.class.getResourceAsStream(resource)) {
            assertThat(stream).as("the sample " + resource).isNotNull();
            return new String(stream.readAllBytes(), StandardCharsets.US_ASCII).trim();
        }
    }
}
