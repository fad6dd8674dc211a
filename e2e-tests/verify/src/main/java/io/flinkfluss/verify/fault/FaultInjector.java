package io.flinkfluss.verify.fault;

import io.flinkfluss.verify.check.Violation;
import io.flinkfluss.verify.cluster.Node;
import io.flinkfluss.verify.load.Acknowledgements;
import io.flinkfluss.verify.network.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Does the planned faults one after another and heals each. For one thread. */
public final class FaultInjector {
    private static final Duration ACKNOWLEDGING = Duration.ofSeconds(60);
    private static final Duration SERVING = Duration.ofSeconds(180);

    private static final Duration YOUNG = Duration.ofSeconds(12);

    /** As many as a shard keeps. */
    private static final int YOUNG_CHECKPOINTS = 2;

    private static final long NEARLY_FULL_BYTES = 150L << 20;
    private static final long MOST_CLOCK_SECONDS = 3_600;

    private final Environment environment;
    private final Keeper keeper;
    private final DamageFault damage;
    private final List<Node> nodes;
    private String note = "";

    public FaultInjector(Environment environment) {
        this.environment = environment;
        nodes = environment.cluster().nodes();
        keeper =
                new Keeper(
                        environment.cluster(),
                        environment.acknowledgements(),
                        environment.findings(),
                        environment.nanos());
        damage = new DamageFault(environment, keeper);
    }

    /** How often a node that ended by itself was started again. */
    public int restarts() {
        return keeper.restarts();
    }

    /** Waits for a time while nodes are looked after. */
    public void hold(Duration time) throws InterruptedException {
        keeper.hold(time);
    }

    /**
     * Waits until every shard acknowledges and every node serves; a finding when that takes too
     * long.
     */
    public boolean awaitHealthy(String after) throws InterruptedException {
        boolean acknowledging = keeper.awaitAcknowledgements(ACKNOWLEDGING);
        if (!acknowledging) {
            stalled(
                    after,
                    "a shard acknowledged nothing within "
                            + ACKNOWLEDGING.toSeconds()
                            + " s, for "
                            + environment.acknowledgements().longestSilenceNanos() / 1_000_000
                            + " ms by now");
            return false;
        }
        boolean serving = keeper.awaitNodes(SERVING);
        if (!serving) {
            stalled(after, "not every node serves within " + SERVING.toSeconds() + " s");
        }
        return serving;
    }

    private void stalled(String after, String what) {
        environment
                .findings()
                .add(
                        Violation.STALLED,
                        "after "
                                + after
                                + ": "
                                + what
                                + "; serving: "
                                + nodes.stream().filter(Node::isReady).toList());
    }

    /** Does it, heals it and waits until all is well again. */
    public FaultRecord inject(PlannedFault fault, double atSeconds) throws InterruptedException {
        Node target = target(fault);
        note = "";
        Acknowledgements.Watch watch = environment.acknowledgements().watch();
        try {
            run(fault, target);
        } finally {
            environment.network().heal();
        }
        boolean healthy = awaitHealthy(fault.kind() + " of " + target);
        keeper.mayEnd(null);
        long silence = watch.end() / 1_000_000;
        return new FaultRecord(
                fault,
                atSeconds,
                fault.kind() == FaultKind.POWER_CUT ? "all" : target.id(),
                silence,
                nodes.size() > 2 && fault.kind() != FaultKind.POWER_CUT,
                healthy,
                healthy ? note : note + " not healed");
    }

    private Node target(PlannedFault fault) throws InterruptedException {
        return switch (fault.kind()) {
            case KILL_LEADER, PAUSE_LEADER, ISOLATE_LEADER, MUTE_LEADER, DEAFEN_LEADER ->
                    leader(fault);
            case KILL_FOLLOWER, PAUSE_FOLLOWER, FLIPPED_LOG, FLIPPED_STATE -> follower(fault);
            case ISOLATE_NODE,
                    SLOW_NETWORK,
                    DISK_NEARLY_FULL,
                    DISK_FULL,
                    TORN_WRITE,
                    CLOCK_JUMP,
                    POWER_CUT ->
                    nodes.get(fault.choose(nodes.size(), 0));
        };
    }

    private Node leader(PlannedFault fault) throws InterruptedException {
        int shard = fault.choose(1 << 16, 0);
        List<Node> found = new ArrayList<>();
        boolean known =
                keeper.await(
                        () -> {
                            environment.leaders().leader(shard).ifPresent(found::add);
                            return !found.isEmpty();
                        },
                        ACKNOWLEDGING);
        if (!known) {
            environment.findings().add(Violation.STALLED, "no node says who leads before " + fault);
            return nodes.get(0);
        }
        return found.get(0);
    }

    /** A node that does not lead the chosen shard; the only one if there is no other. */
    private Node follower(PlannedFault fault) throws InterruptedException {
        Node leader = leader(fault);
        List<Node> others = nodes.stream().filter(node -> node != leader).toList();
        return others.isEmpty() ? leader : others.get(fault.choose(others.size(), 1));
    }

    private void run(PlannedFault fault, Node target) throws InterruptedException {
        switch (fault.kind()) {
            case KILL_LEADER, KILL_FOLLOWER -> {
                target.kill();
                keeper.hold(fault.lasting());
                target.start();
            }
            case PAUSE_LEADER, PAUSE_FOLLOWER -> {
                target.pause();
                keeper.hold(fault.lasting());
                target.resume();
            }
            case ISOLATE_LEADER -> {
                peers(target).forEach(peer -> cut(target.id(), peer.id(), true, true));
                keeper.hold(fault.lasting());
            }
            case ISOLATE_NODE -> {
                peers(target).forEach(peer -> cut(target.id(), peer.id(), true, true));
                cut(target.id(), Network.CLIENTS, true, true);
                keeper.hold(fault.lasting());
            }
            case MUTE_LEADER -> {
                peers(target).forEach(peer -> cut(target.id(), peer.id(), true, false));
                keeper.hold(fault.lasting());
            }
            case DEAFEN_LEADER -> {
                peers(target).forEach(peer -> cut(target.id(), peer.id(), false, true));
                keeper.hold(fault.lasting());
            }
            case SLOW_NETWORK -> slow(fault, target);
            case DISK_NEARLY_FULL -> fill(fault, target, NEARLY_FULL_BYTES);
            case DISK_FULL -> fill(fault, target, 0);
            case TORN_WRITE -> {
                target.kill();
                note =
                        FileDamage.tearLastWrite(target.disk().dataDirectory(), fault)
                                .orElse("no open log segment");
                keeper.hold(fault.lasting());
                target.start();
            }
            case FLIPPED_LOG, FLIPPED_STATE -> note = damage.run(fault, target);
            case CLOCK_JUMP -> {
                long seconds = fault.choose((int) (2 * MOST_CLOCK_SECONDS), 1) - MOST_CLOCK_SECONDS;
                note = "by " + seconds + " s and back";
                target.jumpClock(Duration.ofSeconds(seconds));
                keeper.hold(fault.lasting());
                target.jumpClock(Duration.ZERO);
            }
            case POWER_CUT -> losePower(fault, target);
        }
    }

    private void slow(PlannedFault fault, Node target) throws InterruptedException {
        Duration delay = Duration.ofMillis(20 + fault.choose(150, 1));
        note = "by " + delay.toMillis() + " ms";
        List<String> others = new ArrayList<>(peers(target).stream().map(Node::id).toList());
        others.add(Network.CLIENTS);
        for (String other : others) {
            environment.network().delay(target.id(), other, delay);
            environment.network().delay(other, target.id(), delay);
        }
        keeper.hold(fault.lasting());
    }

    private void fill(PlannedFault fault, Node target, long bytesLeft) throws InterruptedException {
        keeper.mayEnd(target);
        int before = keeper.restarts();
        try {
            target.disk().fill(bytesLeft);
            keeper.hold(fault.lasting());
        } finally {
            target.disk().empty();
        }
        if (target.endedByItself() || keeper.restarts() > before) {
            note = "the node ended by itself and was started again";
        }
    }

    /**
     * Processes stop, disks forget what was not synced, processes end, and all begin again. That is
     * worst when all checkpoints that a restart may use are so young that the kernel has not
     * written them by itself, so it waits for two of them first.
     */
    private void losePower(PlannedFault fault, Node target) throws InterruptedException {
        Set<String> before = FileDamage.checkpoints(target.disk().dataDirectory());
        boolean young =
                keeper.await(
                        () -> {
                            Set<String> now =
                                    new HashSet<>(
                                            FileDamage.checkpoints(target.disk().dataDirectory()));
                            now.removeAll(before);
                            return now.size() >= YOUNG_CHECKPOINTS;
                        },
                        YOUNG);
        note = young ? "after " + YOUNG_CHECKPOINTS + " new checkpoints" : "";
        keeper.hold(Duration.ofMillis(fault.choose(500, 3)));
        for (Node node : nodes) {
            if (node.isAlive()) {
                node.pause();
            }
        }
        for (Node node : nodes) {
            node.disk().losePower();
        }
        nodes.forEach(Node::kill);
        nodes.forEach(node -> node.disk().powerOn());
        keeper.hold(fault.lasting());
        nodes.forEach(Node::start);
    }

    private List<Node> peers(Node target) {
        return nodes.stream().filter(node -> node != target).toList();
    }

    private void cut(String node, String other, boolean outgoing, boolean incoming) {
        if (outgoing) {
            environment.network().cut(node, other);
        }
        if (incoming) {
            environment.network().cut(other, node);
        }
    }
}
