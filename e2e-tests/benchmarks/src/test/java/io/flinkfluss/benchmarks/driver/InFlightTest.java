package io.flinkfluss.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class InFlightTest {
    private static final int LOOKUPS = 1_000;

    private final InFlight lookups = new InFlight(2);
    private final LongAdder sum = new LongAdder();

    @Test
    void noMoreThanSoManyAreOnTheirWay() throws Exception {
        BlockingQueue<CompletableFuture<Long>> asked = new LinkedBlockingQueue<>();
        AtomicInteger onTheirWay = new AtomicInteger();
        List<Integer> seen = new ArrayList<>();
        Thread service = new Thread(() -> answer(asked, onTheirWay));
        service.start();
        for (int i = 0; i < LOOKUPS; i++) {
            lookups.begin(
                    () -> {
                        CompletableFuture<Long> lookup = new CompletableFuture<>();
                        seen.add(onTheirWay.incrementAndGet());
                        asked.add(lookup);
                        return lookup;
                    },
                    sum::add);
        }
        lookups.finish();
        service.join();

        assertThat(sum.sum()).isEqualTo(LOOKUPS);
        assertThat(seen).allMatch(count -> count <= 2);
    }

    @Test
    void aFailureEndsIt() throws Exception {
        lookups.begin(InFlightTest::failing, sum::add);

        assertThatThrownBy(() -> lookups.begin(InFlightTest::failing, sum::add))
                .hasMessageContaining("gone");
    }

    @Test
    void theLastOnesFailureIsToldAtTheEnd() throws Exception {
        lookups.begin(InFlightTest::failing, sum::add);

        assertThatThrownBy(lookups::finish).hasMessageContaining("gone");
        assertThat(sum.sum()).isZero();
    }

    private static CompletableFuture<Long> failing() {
        return CompletableFuture.failedFuture(new IllegalStateException("gone"));
    }

    private static void answer(
            BlockingQueue<CompletableFuture<Long>> asked, AtomicInteger onTheirWay) {
        try {
            for (int i = 0; i < LOOKUPS; i++) {
                CompletableFuture<Long> lookup = asked.take();
                onTheirWay.decrementAndGet();
                lookup.complete(1L);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
