package io.flinkfluss.verify.fault;

import io.flinkfluss.verify.check.Findings;
import io.flinkfluss.verify.check.Violation;
import io.flinkfluss.verify.cluster.Cluster;
import io.flinkfluss.verify.cluster.Node;
import io.flinkfluss.verify.load.Acknowledgements;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Waits, and meanwhile starts nodes again that ended by themselves, as an operator's service
 * manager does. Used by the one thread that injects faults.
 */
final class Keeper {
    private static final long LOOK_MILLIS = 50;
    private static final Duration RESTART_AFTER = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final Acknowledgements acknowledgements;
    private final Findings findings;
    private final LongSupplier nanos;
    private final Map<Node, Long> ended = new HashMap<>();
    private Node mayEnd;
    private int restarts;

    Keeper(
            Cluster cluster,
            Acknowledgements acknowledgements,
            Findings findings,
            LongSupplier nanos) {
        this.cluster = cluster;
        this.acknowledgements = acknowledgements;
        this.findings = findings;
        this.nanos = nanos;
    }

    /** A node that may end by itself because of what is done to it; null for none. */
    void mayEnd(Node node) {
        mayEnd = node;
    }

    /** How often a node was started again. */
    int restarts() {
        return restarts;
    }

    /** Waits for a time. */
    void hold(Duration time) throws InterruptedException {
        boolean unused = await(() -> false, time);
    }

    /** Waits until it is so, or the time is over. */
    boolean await(BooleanSupplier condition, Duration patience) throws InterruptedException {
        long deadline = nanos.getAsLong() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (deadline - nanos.getAsLong() <= 0) {
                return false;
            }
            look();
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return true;
    }

    /** Waits until every shard acknowledged something after now. */
    boolean awaitAcknowledgements(Duration patience) throws InterruptedException {
        long begin = nanos.getAsLong();
        return await(() -> acknowledgements.allSince(begin), patience);
    }

    /** Waits until every node serves, which includes that it has caught up. */
    boolean awaitNodes(Duration patience) throws InterruptedException {
        return await(cluster::allReady, patience);
    }

    private void look() {
        for (Node node : cluster.nodes()) {
            if (!node.endedByItself()) {
                ended.remove(node);
                continue;
            }
            long now = nanos.getAsLong();
            Long since = ended.putIfAbsent(node, now);
            if (since == null) {
                if (node != mayEnd) {
                    findings.add(
                            Violation.UNEXPECTED,
                            node
                                    + " ended by itself with exit code "
                                    + node.exitCode()
                                    + "; the end of "
                                    + node.log()
                                    + ":\n"
                                    + node.logTail());
                }
            } else if (now - since > RESTART_AFTER.toNanos()) {
                restarts++;
                node.start();
                ended.remove(node);
            }
        }
    }
}
