package io.flinkfluss.flink.unionread.split;

import java.util.List;

/**
 * What the enumerator stores.
 *
 * @param planned whether the plan was made; if not, it is made anew after a restart
 * @param waiting splits of the plan that no reader has got
 */
public record PlannedSplits(boolean planned, List<UnionSplit> waiting) {
    public PlannedSplits {
        waiting = List.copyOf(waiting);
    }
}
