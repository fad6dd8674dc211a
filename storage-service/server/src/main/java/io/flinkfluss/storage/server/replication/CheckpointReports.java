package io.flinkfluss.storage.server.replication;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Checkpoints of one state as Ratis wants to see them. Ratis asks for one on the thread that
 * applies entries and deletes its log up to the position it gets; but a checkpoint takes long. So
 * the first question begins one and is answered with what was durable before, and a later one, when
 * it is durable, is answered with it.
 */
final class CheckpointReports {
    private final ReplicatedState state;

    /** Null when none was begun since the last report. */
    private volatile CompletableFuture<Position> making;

    private volatile Position reported;

    CheckpointReports(ReplicatedState state) {
        this.state = state;
        reported = state.restored();
    }

    /**
     * On the applying thread.
     *
     * @param begun called when a checkpoint was begun
     */
    Position next(Runnable begun) throws IOException {
        CompletableFuture<Position> present = making;
        try {
            if (present == null) {
                making = state.checkpoint();
                begun.run();
            } else if (present.isDone()) {
                making = null;
                reported = present.join();
            }
            return reported;
        } catch (CompletionException failed) {
            throw new IOException("a checkpoint could not be made", failed.getCause());
        } catch (RuntimeException failed) {
            throw new IOException("a checkpoint could not be begun", failed);
        }
    }

    /** The position that was reported last. */
    Position reported() {
        return reported;
    }

    /** The state was replaced. On the applying thread. */
    void restart() {
        making = null;
        reported = state.restored();
    }

    /** Completes, whatever came of it, when no checkpoint is being made. */
    CompletableFuture<Void> idle() {
        CompletableFuture<Position> present = making;
        return present == null
                ? CompletableFuture.completedFuture(null)
                : present.handle((position, failure) -> null);
    }
}
