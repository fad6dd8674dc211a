package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.plan.Contender;
import java.util.Optional;

/**
 * This product beside a peer.
 *
 * @param ratio this product's figure divided by the peer's, of each round in which both have one
 * @param rounds how many these are
 */
public record Comparison(
        Measure measure,
        Contender peer,
        Spread product,
        Spread other,
        Spread ratio,
        int rounds,
        Optional<Target> target) {
    /** Whether the median ratio meets the target; empty when there is none. */
    public Optional<Boolean> isMet() {
        return target.map(wanted -> wanted.isMetBy(ratio.median()));
    }
}
