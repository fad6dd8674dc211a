package io.flinkfluss.storage.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CheckpointerTest {
    private long nanos;
    private long bytes;
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
                        public CompletableFuture<?> checkpoint() {
                            checkpoints++;
                            return running;
                        }
                    },
                    new CheckpointPolicy(100, Duration.ofSeconds(60)),
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
