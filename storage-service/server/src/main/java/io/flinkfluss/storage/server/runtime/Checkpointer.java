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
    private CompletableFuture<?> running = CompletableFuture.completedFuture(null);

    public Checkpointer(Subject subject, CheckpointPolicy policy, ServerClock clock) {
        this.subject = subject;
        this.policy = policy;
        this.clock = clock;
        lastNanos = clock.nanos();
    }

    /** Begins a checkpoint if one is due and none is running. */
    public void step() {
        Duration since = Duration.ofNanos(clock.nanos() - lastNanos);
        if (running.isDone() && policy.isDue(subject.bytesSinceCheckpoint(), since)) {
            lastNanos = clock.nanos();
            running = subject.checkpoint().whenComplete((done, failure) -> report(failure));
        }
    }

    private void report(Throwable failure) {
        if (failure != null) {
            LOG.warn("{} could not make a checkpoint; its log is kept", subject, failure);
        }
    }

    /** What is made durable. */
    public interface Subject {
        long bytesSinceCheckpoint();

        CompletableFuture<?> checkpoint();
    }
}
