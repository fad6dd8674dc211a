package io.flinkfluss.flink.tiering.plan;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One round of one table, as planned.
 *
 * @param number the newest round in the lake plus one
 * @param startOffsets the end offsets of the newest snapshot, exactly; empty when there is none
 * @param ranges of every bucket, in order; some may be empty, not all
 */
public record Round(
        TableInfo table, long number, Map<BucketId, Long> startOffsets, List<BucketRange> ranges) {
    public Round {
        startOffsets = Collections.unmodifiableMap(new TreeMap<>(startOffsets));
        ranges = List.copyOf(ranges);
    }

    /** The ranges that have rows. */
    public List<BucketRange> work() {
        return ranges.stream().filter(range -> !range.isEmpty()).toList();
    }

    public long rows() {
        return ranges.stream().mapToLong(range -> range.end() - range.start()).sum();
    }
}
