package io.flinkfluss.storage.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SharedWorkTest {
    private final SharedWork work = new SharedWork();

    @Test
    void everyStepIsDoneOnceWhateverHelpersDo() throws IOException {
        List<Runnable> late = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            work.add(done::incrementAndGet);
        }

        work.run(late::add);

        assertThat(done).hasValue(100);
        assertThat(late).isNotEmpty();
        late.forEach(Runnable::run);
        assertThat(done).hasValue(100);
    }

    @Test
    void refusedHelpersAreDoneWithout() throws IOException {
        AtomicInteger done = new AtomicInteger();
        work.add(done::incrementAndGet);
        work.add(done::incrementAndGet);

        work.run(
                helper -> {
                    throw new RejectedExecutionException("busy");
                });

        assertThat(done).hasValue(2);
    }

    @Test
    void helpersWorkAtTheSameTimeAndAreWaitedFor() throws IOException {
        CompletableFuture<Void> met = new CompletableFuture<>();
        AtomicInteger done = new AtomicInteger();
        work.add(
                () -> {
                    met.join();
                    done.incrementAndGet();
                });
        work.add(
                () -> {
                    met.complete(null);
                    done.incrementAndGet();
                });
        ExecutorService helpers = Executors.newFixedThreadPool(1);
        try {
            work.run(helpers);
        } finally {
            helpers.shutdown();
        }

        assertThat(done).hasValue(2);
    }

    @Test
    void aFailureIsToldAfterTheOthersWereTried() {
        AtomicInteger done = new AtomicInteger();
        work.add(
                () -> {
                    throw new IOException("no space");
                });
        work.add(done::incrementAndGet);

        assertThatThrownBy(() -> work.run(Runnable::run))
                .isInstanceOf(IOException.class)
                .hasMessage("no space");
        assertThat(done).hasValue(1);
    }
}
