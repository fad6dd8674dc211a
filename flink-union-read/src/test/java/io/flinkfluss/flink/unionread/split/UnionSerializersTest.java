package io.flinkfluss.flink.unionread.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.flink.state.StateSerializer;
import io.flinkfluss.lake.LakeSplit;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnionSerializersTest {
    private static final UnionSplit SPLIT =
            new UnionSplit(
                    "bucket-3",
                    Reading.CONCATENATE,
                    List.of(
                            new LakeSplit(3, new byte[] {1, 2, 3}, 1000, 50_000),
                            new LakeSplit(LakeSplit.ANY_BUCKET, new byte[0], 0, 0)),
                    List.of(
                            new LogRange(
                                    BucketId.of(new TableId(7), 3), 500, ScanRequest.UNBOUNDED)),
                    17);

    /** Bytes that version 1 wrote; they must be readable for ever. */
    private static final String SPLIT_V1 =
            "01126275636b65742db300020403010203e807d086030000000001070003f403ffffffffffffffff7f11";

    private static final String PLAN_V1 =
            "01130101126275636b65742db300020403010203e807d086030000000001070003f403ffffffffffffffff7f11";

    @Test
    void aSplitSurvivesACheckpoint() throws IOException {
        StateSerializer<UnionSplit> serializer = UnionSerializers.splits();

        UnionSplit restored =
                serializer.deserialize(serializer.getVersion(), serializer.serialize(SPLIT));

        assertThat(restored).usingRecursiveComparison().isEqualTo(SPLIT);
    }

    @Test
    void aPlanSurvivesACheckpoint() throws IOException {
        StateSerializer<PlannedSplits> serializer = UnionSerializers.planned();
        PlannedSplits plan = new PlannedSplits(true, List.of(SPLIT, SPLIT));

        assertThat(serializer.deserialize(1, serializer.serialize(plan)))
                .usingRecursiveComparison()
                .isEqualTo(plan);
    }

    @Test
    void bytesOfVersionOneAreStillRead() throws IOException {
        assertThat(UnionSerializers.splits().deserialize(1, HexFormat.of().parseHex(SPLIT_V1)))
                .usingRecursiveComparison()
                .isEqualTo(SPLIT);
        assertThat(UnionSerializers.planned().deserialize(1, HexFormat.of().parseHex(PLAN_V1)))
                .usingRecursiveComparison()
                .isEqualTo(new PlannedSplits(true, List.of(SPLIT)));
    }
}
