package io.flinkfluss.storage.server.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has one group make checkpoints when they are due. {@link #step} is called by one thread. */
public final class Checkpointer {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);

    private final Subject subject;
    private final CheckpointPolicy policy;
    private final ServerClock clock;
    private long lastNanos;
    private volatile Done done;
    private CompletableFuture<?> running = CompletableFuture.completedFuture(null);

    public Checkpointer(Subject subject, CheckpointPolicy policy, ServerClock clock) {
        this.subject = subject;
        this.policy = policy;
        this.clock = clock;
        lastNanos = clock.nanos();
        done = new Done(0, 0, lastNanos, Duration.ZERO);
    }

    /** Begins a checkpoint if one is due and none is running. */
    public void step() {
        if (running.isDone() && policy.isDue(unsaved(), done.last)) {
            lastNanos = clock.nanos();
            long begun = lastNanos;
            running = subject.checkpoint().whenComplete((done, failure) -> report(begun, failure));
        }
    }

    private CheckpointPolicy.Unsaved unsaved() {
        return new CheckpointPolicy.Unsaved(
                subject.bytesSinceCheckpoint(),
                subject.applyTimeSinceCheckpoint(),
                Duration.ofNanos(clock.nanos() - lastNanos));
    }

    /** What was made so far; any thread. */
    public CheckpointFigures figures() {
        Done now = done;
        return new CheckpointFigures(
                now.made, now.failed, Duration.ofNanos(clock.nanos() - now.endNanos), now.last);
    }

    private void report(long begun, Throwable failure) {
        Done before = done;
        long now = clock.nanos();
        done =
                failure == null
                        ? new Done(
                                before.made + 1, before.failed, now, Duration.ofNanos(now - begun))
                        : new Done(before.made, before.failed + 1, before.endNanos, before.last);
        if (failure != null) {
            LOG.warn("{} could not make a checkpoint; its log is kept", subject, failure);
        }
    }

    /** Written by one checkpoint at a time. */
    private record Done(long made, long failed, long endNanos, Duration last) {}

    /** What is made durable. */
    public interface Subject {
        long bytesSinceCheckpoint();

        /** The processor time that applying these took. */
        Duration applyTimeSinceCheckpoint();

        CompletableFuture<?> checkpoint();
    }
}
