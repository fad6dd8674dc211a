package io.flinkfluss.flink.unionread.split;

import io.flinkfluss.lake.LakeSplit;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * The part of a union that is still to be read; a reader's progress is a smaller split.
 *
 * @param splitId unique within a plan
 * @param lake lake files, read in this order
 * @param log log ranges, one per bucket of this split
 * @param skip CONCATENATE: rows of the first lake split that were read already; MERGE: rows of the
 *     merged result that were read already
 */
public record UnionSplit(
        String splitId, Reading reading, List<LakeSplit> lake, List<LogRange> log, long skip)
        implements SourceSplit {
    public UnionSplit {
        lake = List.copyOf(lake);
        log = List.copyOf(log);
        if (skip < 0) {
            throw new IllegalArgumentException(
                    "rows to skip are counted from 0, not " + skip + " in split " + splitId);
        }
    }

    @Override
    public String splitId() {
        return splitId;
    }
}
