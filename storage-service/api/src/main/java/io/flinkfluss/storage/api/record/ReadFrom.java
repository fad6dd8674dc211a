package io.flinkfluss.storage.api.record;

/** Which replica answers a read of a log. */
public enum ReadFrom {
    /** The leader: sees every acknowledged row at once. */
    LEADER,
    /**
     * Any replica: spreads the load. A replica shows only committed rows, each a moment later than
     * the leader does.
     */
    ANY
}
