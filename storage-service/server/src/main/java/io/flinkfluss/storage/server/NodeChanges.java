package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.cluster.NodeChange;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The change of the nodes that this node works on, in the background; at most one. Whoever asks for
 * the same change again learns how far it is. Any thread.
 */
final class NodeChanges {
    private static final Logger LOG = LoggerFactory.getLogger(NodeChanges.class);

    private final Executor executor;

    /** Guards the field below and what is in it. */
    private final Object lock = new Object();

    private Change change;

    /** The work of a change; each step can be done again without harm. */
    interface Work {
        /** Returns what was done, for people. */
        String run(Progress progress);
    }

    /** Told by the work. */
    interface Progress {
        void at(int done, String detail);
    }

    private static final class Change {
        private final String what;
        private NodeChange progress;
        private StorageException failure;

        Change(String what, NodeChange progress) {
            this.what = what;
            this.progress = progress;
        }

        boolean isRunning() {
            return failure == null && !progress.isDone();
        }
    }

    NodeChanges(Executor executor) {
        this.executor = executor;
    }

    /**
     * How far this change is when it is under way or was the last one; what it failed with is told
     * once.
     *
     * @throws StorageException BUSY while another change is under way
     */
    Optional<NodeChange> progress(String what) {
        synchronized (lock) {
            if (change == null) {
                return Optional.empty();
            }
            if (change.what.equals(what)) {
                if (change.failure != null) {
                    StorageException failure = change.failure;
                    change = null;
                    throw failure;
                }
                return Optional.of(change.progress);
            }
            if (change.isRunning()) {
                throw new StorageException(
                        ErrorCode.BUSY,
                        what
                                + " has to wait: "
                                + change.what
                                + " is under way ("
                                + change.progress.detail()
                                + "); try again when that is done");
            }
            return Optional.empty();
        }
    }

    /** Begins a change unless it is under way. */
    NodeChange begin(String what, int total, Work work) {
        Change begun;
        synchronized (lock) {
            Optional<NodeChange> known = progress(what);
            if (known.isPresent() && !known.get().isDone()) {
                return known.get();
            }
            begun = new Change(what, NodeChange.running(0, total, what + " begins"));
            change = begun;
        }
        LOG.info("{} begins", what);
        executor.execute(() -> run(begun, total, work));
        return begun.progress;
    }

    private void run(Change begun, int total, Work work) {
        try {
            String result =
                    work.run(
                            (done, detail) -> {
                                LOG.info("{}: {} of {} done, {}", begun.what, done, total, detail);
                                synchronized (lock) {
                                    begun.progress = NodeChange.running(done, total, detail);
                                }
                            });
            LOG.info("{} is done: {}", begun.what, result);
            synchronized (lock) {
                begun.progress = NodeChange.done(total, result);
            }
        } catch (RuntimeException failure) {
            LOG.warn("{} failed", begun.what, failure);
            synchronized (lock) {
                begun.failure = Answers.asStorageException(failure, begun.what);
            }
        }
    }
}
