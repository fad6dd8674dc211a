package io.flinkfluss.benchmarks.driver;

import java.util.concurrent.CompletableFuture;

/** Looks all orders of a customer up at once, by the first column of their key. */
public interface CustomerLookup extends AutoCloseable {
    /**
     * What a lookup gave.
     *
     * @param orders how many rows
     * @param checksum the sum of their {@link io.flinkfluss.benchmarks.rows.Checksum}s
     */
    record Found(long orders, long checksum) {}

    /** Completes with what there is; that may be nothing. Many may be on their way. */
    CompletableFuture<Found> orders(long customerId);

    @Override
    void close() throws Exception;
}
