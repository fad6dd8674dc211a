package io.flinkfluss.flink.unionread.plan;

import io.flinkfluss.flink.unionread.split.LogRange;
import io.flinkfluss.flink.unionread.split.Reading;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import io.flinkfluss.lake.LakeSplit;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import java.util.ArrayList;
import java.util.List;

/** Cuts a pinned table into splits. */
public final class UnionPlan {
    private UnionPlan() {}

    /**
     * The rows that the table has now. Splits that need no merge are as small as they can be, so
     * that all readers have work; a bucket without rows has no split.
     */
    public static List<UnionSplit> bounded(PinnedTable pinned) {
        return pinned.table().hasPrimaryKey() ? boundedMerge(pinned) : boundedLog(pinned);
    }

    /**
     * The rows that the table has now, then every change for ever. One split per bucket, so that a
     * bucket's log follows its lake rows. Lake files with rows of several buckets go round in a log
     * table; in a primary-key table they make everything one split, because a change must not come
     * before the lake row that it changes.
     */
    public static List<UnionSplit> unbounded(PinnedTable pinned) {
        List<BucketId> buckets = pinned.table().buckets();
        if (pinned.table().hasPrimaryKey() && hasMixedBuckets(pinned)) {
            List<LogRange> logs =
                    buckets.stream()
                            .map(
                                    bucket ->
                                            new LogRange(
                                                    bucket,
                                                    pinned.seam(bucket),
                                                    ScanRequest.UNBOUNDED))
                            .toList();
            return List.of(
                    new UnionSplit(
                            "all-buckets", Reading.CONCATENATE, pinned.lakeSplits(), logs, 0));
        }
        List<List<LakeSplit>> lake = new ArrayList<>();
        for (int i = 0; i < buckets.size(); i++) {
            lake.add(new ArrayList<>());
        }
        int next = 0;
        for (LakeSplit split : pinned.lakeSplits()) {
            int owner =
                    split.bucket() == LakeSplit.ANY_BUCKET
                            ? next++ % buckets.size()
                            : split.bucket();
            lake.get(owner).add(split);
        }
        List<UnionSplit> splits = new ArrayList<>();
        for (BucketId bucket : buckets) {
            LogRange log = new LogRange(bucket, pinned.seam(bucket), ScanRequest.UNBOUNDED);
            splits.add(
                    new UnionSplit(
                            "bucket-" + bucket.bucket(),
                            Reading.CONCATENATE,
                            lake.get(bucket.bucket()),
                            List.of(log),
                            0));
        }
        return splits;
    }

    /** Only the rows of the lake snapshot. */
    public static List<UnionSplit> lakeOnly(List<LakeSplit> lakeSplits) {
        List<UnionSplit> splits = new ArrayList<>();
        for (LakeSplit lake : lakeSplits) {
            splits.add(lakeSplit(splits.size(), lake));
        }
        return splits;
    }

    private static List<UnionSplit> boundedLog(PinnedTable pinned) {
        List<UnionSplit> splits = lakeOnly(pinned.lakeSplits());
        for (LogRange tail : tails(pinned)) {
            splits.add(
                    new UnionSplit(
                            "log-" + tail.bucket().bucket(),
                            Reading.CONCATENATE,
                            List.of(),
                            List.of(tail),
                            0));
        }
        return splits;
    }

    private static List<UnionSplit> boundedMerge(PinnedTable pinned) {
        List<LogRange> tails = tails(pinned);
        if (tails.isEmpty()) {
            return lakeOnly(pinned.lakeSplits());
        }
        if (hasMixedBuckets(pinned)) {
            return List.of(
                    new UnionSplit("merge-all", Reading.MERGE, pinned.lakeSplits(), tails, 0));
        }
        List<UnionSplit> splits = new ArrayList<>();
        for (LogRange tail : tails) {
            int bucket = tail.bucket().bucket();
            splits.add(
                    new UnionSplit(
                            "merge-" + bucket,
                            Reading.MERGE,
                            lakeOf(pinned, bucket),
                            List.of(tail),
                            0));
        }
        for (BucketId bucket : pinned.table().buckets()) {
            if (tails.stream().noneMatch(tail -> tail.bucket().equals(bucket))) {
                for (LakeSplit lake : lakeOf(pinned, bucket.bucket())) {
                    splits.add(lakeSplit(splits.size(), lake));
                }
            }
        }
        return splits;
    }

    private static boolean hasMixedBuckets(PinnedTable pinned) {
        return pinned.lakeSplits().stream()
                .anyMatch(split -> split.bucket() == LakeSplit.ANY_BUCKET);
    }

    private static UnionSplit lakeSplit(int number, LakeSplit lake) {
        return new UnionSplit("lake-" + number, Reading.CONCATENATE, List.of(lake), List.of(), 0);
    }

    private static List<LakeSplit> lakeOf(PinnedTable pinned, int bucket) {
        return pinned.lakeSplits().stream().filter(split -> split.bucket() == bucket).toList();
    }

    private static List<LogRange> tails(PinnedTable pinned) {
        return pinned.table().buckets().stream()
                .map(
                        bucket ->
                                new LogRange(
                                        bucket, pinned.seam(bucket), pinned.logEnds().get(bucket)))
                .filter(tail -> !tail.isEmpty())
                .toList();
    }
}
