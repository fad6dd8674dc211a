package io.flinkfluss.flink.source.enumerator;

import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.KvSplit;
import io.flinkfluss.flink.source.split.LogSplit;
import io.flinkfluss.flink.source.startup.Startup;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.Boundedness;

/**
 * Which part of a table is read; {@link #splits} turns it into pinned offsets.
 *
 * @param from what the read begins with
 */
public record SplitPlan(From from, Startup startup, Boundedness boundedness)
        implements Serializable {
    /** What a read begins with. */
    public enum From {
        /** The rows of a snapshot of the current state, then the changelog after it. */
        STATE,
        /** The log. */
        LOG
    }

    /**
     * Pins the offsets of every bucket. A bounded read ends where the table ends now; a bounded
     * read of the state ends with the snapshot.
     */
    List<? extends FlussSplit> splits(StorageService service, TableInfo table) {
        return from == From.STATE
                ? stateSplits(service.kvReader().snapshot(table.id()))
                : logSplits(service, table.buckets());
    }

    private boolean isBounded() {
        return boundedness == Boundedness.BOUNDED;
    }

    private List<KvSplit> stateSplits(KvSnapshot snapshot) {
        return snapshot.logOffsets().entrySet().stream()
                .map(
                        entry ->
                                new KvSplit(
                                        entry.getKey(),
                                        snapshot.snapshotId(),
                                        new byte[0],
                                        0,
                                        entry.getValue(),
                                        isBounded() ? entry.getValue() : ScanRequest.UNBOUNDED))
                .toList();
    }

    private List<LogSplit> logSplits(StorageService service, List<BucketId> buckets) {
        Map<BucketId, Long> starts = service.logReader().offsets(buckets, startup.logStart());
        Map<BucketId, Long> stops =
                isBounded()
                        ? service.logReader().offsets(buckets, new OffsetSpec.Latest())
                        : Map.of();
        return buckets.stream()
                .map(
                        bucket ->
                                new LogSplit(
                                        bucket,
                                        starts.get(bucket),
                                        stops.getOrDefault(bucket, ScanRequest.UNBOUNDED)))
                .toList();
    }
}
