package io.flinkfluss.storage.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CheckpointerTest {
    private long nanos;
    private long bytes;
    private Duration applyTime = Duration.ZERO;
    private int checkpoints;
    private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

    private final Checkpointer checkpointer =
            new Checkpointer(
                    new Checkpointer.Subject() {
                        @Override
                        public long bytesSinceCheckpoint() {
                            return bytes;
                        }

                        @Override
                        public Duration applyTimeSinceCheckpoint() {
                            return applyTime;
                        }

                        @Override
                        public CompletableFuture<?> checkpoint() {
                            checkpoints++;
                            return running;
                        }
                    },
                    new CheckpointPolicy(100, Duration.ofSeconds(2), Duration.ofSeconds(60)),
                    new ServerClock() {
                        @Override
                        public long millis() {
                            return 0;
                        }

                        @Override
                        public long nanos() {
                            return nanos;
                        }
                    });

    @Test
    void isDueAfterManyBytesOrAfterSomeTimeWithAnyChange() {
        step(0, 99);
        step(59, 99);
        assertThat(checkpoints).isZero();
        step(59, 100);
        assertThat(checkpoints).isEqualTo(1);
        step(118, 0);
        step(120, 0);
        assertThat(checkpoints).isEqualTo(1);
        step(121, 1);
        assertThat(checkpoints).isEqualTo(2);
    }

    @Test
    void isDueWhenApplyingItAgainWouldTakeLong() {
        applyTime = Duration.ofMillis(1_999);
        step(3, 99);
        assertThat(checkpoints).isZero();
        applyTime = Duration.ofSeconds(2);
        step(3, 0);
        assertThat(checkpoints).isZero();
        step(3, 99);
        assertThat(checkpoints).isEqualTo(1);
    }

    @Test
    void slowCheckpointsLeaveTimeForOtherWork() {
        running = new CompletableFuture<>();
        step(1, 100);
        nanos = Duration.ofSeconds(6).toNanos();
        running.complete(null);
        applyTime = Duration.ofSeconds(20);

        step(20, 99);
        assertThat(checkpoints).as("began 19 s ago and took 5 s").isEqualTo(1);
        step(21, 99);
        assertThat(checkpoints).isEqualTo(2);
    }

    @Test
    void oneAtATime() {
        running = new CompletableFuture<>();
        step(1, 100);
        step(2, 500);
        assertThat(checkpoints).isEqualTo(1);
        running.completeExceptionally(new IllegalStateException("disk"));
        step(3, 500);
        assertThat(checkpoints).isEqualTo(2);
    }

    private void step(long seconds, long bytesSince) {
        nanos = Duration.ofSeconds(seconds).toNanos();
        bytes = bytesSince;
        checkpointer.step();
    }
}
