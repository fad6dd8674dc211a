package io.flinkfluss.storage.client.admin;

import io.flinkfluss.storage.api.cluster.NodeChange;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Asks for a change of the nodes again and again until it is done. Any thread. */
public final class NodeChangeLoop {
    private static final long PAUSE_MILLIS = 300;

    /** Waited on between two calls. */
    private final Object pause = new Object();

    private final Duration deadline;
    private final Consumer<NodeChange> progress;

    /**
     * @param progress is told what is new
     */
    public NodeChangeLoop(Duration deadline, Consumer<NodeChange> progress) {
        this.deadline = deadline;
        this.progress = progress;
    }

    /**
     * @param what for messages
     * @param call asks for the change
     * @throws StorageException what the change was refused with; TIMEOUT after the deadline, when
     *     the change may go on
     */
    public NodeChange run(String what, Supplier<NodeChange> call) {
        long end = System.nanoTime() + deadline.toNanos();
        String told = "";
        boolean isUnderWay = false;
        while (true) {
            try {
                NodeChange change = call.get();
                if (!change.detail().equals(told)) {
                    told = change.detail();
                    progress.accept(change);
                }
                if (change.isDone()) {
                    return change;
                }
                isUnderWay = true;
            } catch (StorageException failure) {
                // While leaders change, the nodes that are asked may not know of each other.
                if (!isUnderWay || !failure.isWorthRepeating()) {
                    throw failure;
                }
            }
            if (end - System.nanoTime() <= 0) {
                throw new StorageException(
                        ErrorCode.TIMEOUT,
                        what
                                + " was not done within "
                                + deadline.toSeconds()
                                + " s (last: "
                                + told
                                + "); it may go on. Run the same again to continue, or to see how"
                                + " far it is");
            }
            pause(what);
        }
    }

    private void pause(String what) {
        synchronized (pause) {
            try {
                TimeUnit.MILLISECONDS.timedWait(pause, PAUSE_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new StorageException(
                        ErrorCode.TIMEOUT,
                        what + " was interrupted; it may go on. Run the same again to continue",
                        interrupted);
            }
        }
    }
}
