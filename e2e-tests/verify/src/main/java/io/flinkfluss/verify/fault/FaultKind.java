package io.flinkfluss.verify.fault;

/** The kinds of faults, each with what it needs of the machine and the cluster. */
public enum FaultKind {
    KILL_LEADER("kill -9 of a leader", 1, 1, Need.NOTHING),
    KILL_FOLLOWER("kill -9 of a follower", 1, 3, Need.SEVERAL_NODES),
    PAUSE_LEADER("a leader sleeps and wakes up", 10, 10, Need.NOTHING),
    PAUSE_FOLLOWER("a follower sleeps and wakes up", 10, 10, Need.SEVERAL_NODES),
    ISOLATE_LEADER("a leader is cut off from the other nodes", 4, 7, Need.NETWORK),
    ISOLATE_NODE("a node is cut off from nodes and clients", 4, 7, Need.NETWORK),
    MUTE_LEADER("nothing that a leader sends arrives", 4, 6, Need.NETWORK),
    DEAFEN_LEADER("nothing that is sent to a leader arrives", 4, 6, Need.NETWORK),
    SLOW_NETWORK("bytes to and from a node are delayed", 4, 6, Need.NETWORK),
    DISK_NEARLY_FULL("a node's disk has little space left", 3, 5, Need.OWN_DISK),
    DISK_FULL("a node's disk has no byte left", 3, 5, Need.OWN_DISK),
    TORN_WRITE("kill -9 in the middle of writing the log", 1, 1, Need.NOTHING),
    FLIPPED_LOG("a byte of a log segment flips while the node is down", 1, 2, Need.NOTHING),
    FLIPPED_STATE("a byte of key-value state flips while the node is down", 1, 2, Need.NOTHING),
    CLOCK_JUMP("a node's clock jumps", 2, 4, Need.NOTHING),
    POWER_CUT("every node loses power at once", 1, 2, Need.OWN_DISK);

    private final String description;
    private final int leastSeconds;
    private final int mostSeconds;
    private final Need need;

    FaultKind(String description, int leastSeconds, int mostSeconds, Need need) {
        this.description = description;
        this.leastSeconds = leastSeconds;
        this.mostSeconds = mostSeconds;
        this.need = need;
    }

    public String description() {
        return description;
    }

    int leastSeconds() {
        return leastSeconds;
    }

    int mostSeconds() {
        return mostSeconds;
    }

    Need need() {
        return need;
    }

    /** What a kind cannot do without. */
    enum Need {
        NOTHING,
        SEVERAL_NODES,
        NETWORK,
        OWN_DISK
    }
}
