package io.flinkfluss.flink.tiering.plan;

import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans rounds from what the lake holds and where the logs begin and end. */
public final class RoundPlanner {
    private RoundPlanner() {}

    /**
     * The next round; empty when the lake has every row.
     *
     * @param inLake the newest snapshot of the table
     * @param tieredBefore whether the storage service knows that the table was tiered, so that a
     *     lake without a snapshot must be filled from offset 0 and not from wherever the log begins
     * @throws StorageException OFFSET_OUT_OF_RANGE when rows that the lake needs next are gone
     */
    public static Optional<Round> plan(
            TableInfo table,
            Optional<LakeSnapshot> inLake,
            boolean tieredBefore,
            Map<BucketId, Long> logStarts,
            Map<BucketId, Long> logEnds) {
        Map<BucketId, Long> covered = inLake.map(LakeSnapshot::endOffsets).orElse(Map.of());
        List<BucketRange> ranges = new ArrayList<>();
        for (BucketId bucket : table.buckets()) {
            long logStart = logStarts.get(bucket);
            boolean begun = covered.containsKey(bucket) || tieredBefore || table.hasPrimaryKey();
            long start = begun ? covered.getOrDefault(bucket, 0L) : logStart;
            if (start < logStart) {
                throw new StorageException(
                        ErrorCode.OFFSET_OUT_OF_RANGE,
                        "bucket "
                                + bucket
                                + " of table "
                                + table.path()
                                + " is in the lake up to offset "
                                + start
                                + ", but its log begins at "
                                + logStart
                                + ": the rows between are gone. Was the lake table dropped or rolled"
                                + " back, or tiering switched on after rows expired? Create the"
                                + " table anew to begin with what there is");
            }
            ranges.add(new BucketRange(bucket, start, Math.max(start, logEnds.get(bucket))));
        }
        if (ranges.stream().allMatch(BucketRange::isEmpty)) {
            return Optional.empty();
        }
        long number = inLake.map(LakeSnapshot::round).orElse(0L) + 1;
        return Optional.of(new Round(table, number, covered, ranges));
    }
}
