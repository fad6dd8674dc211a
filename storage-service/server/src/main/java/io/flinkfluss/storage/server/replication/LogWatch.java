package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.server.runtime.FaultHandler;

/**
 * Finds a group whose log is not written any more: its member was closed by an error, or entries
 * wait for the disk and none gets there. Such a node would answer TIMEOUT for ever; it stops
 * instead, so that others take over, or a supervisor starts it again. Counts looks, not time: a
 * process that was stopped and goes on has looked only once meanwhile. One thread.
 */
final class LogWatch {
    private final String group;
    private final Log log;
    private final int patience;
    private final FaultHandler faults;
    private long flushed = -1;
    private int looksWithoutProgress;

    /**
     * @param patience looks without progress that are too many
     */
    LogWatch(String group, Log log, int patience, FaultHandler faults) {
        this.group = group;
        this.log = log;
        this.patience = patience;
        this.faults = faults;
    }

    void look() {
        if (!log.isOpen()) {
            faults.fatal(
                    "the replica of group "
                            + group
                            + " was closed, because this node was removed from the cluster, or by"
                            + " an error that the log of this process names before this line",
                    null);
            return;
        }
        long now = log.flushed();
        boolean waits = log.written() > now;
        looksWithoutProgress = waits && now == flushed ? looksWithoutProgress + 1 : 0;
        flushed = now;
        if (looksWithoutProgress >= patience) {
            looksWithoutProgress = 0;
            faults.fatal(
                    "the log of group "
                            + group
                            + " has entries up to "
                            + log.written()
                            + " but the disk has none after "
                            + now
                            + " for long; look at the disk of the data directory",
                    null);
        }
    }

    /** A group's log. */
    interface Log {
        /** Whether it takes entries. */
        boolean isOpen();

        /** Index of the last entry. */
        long written();

        /** Index of the last entry that the disk has. */
        long flushed();
    }
}
