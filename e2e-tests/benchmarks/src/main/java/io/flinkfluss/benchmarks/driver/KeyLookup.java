package io.flinkfluss.benchmarks.driver;

import java.util.concurrent.CompletableFuture;

/** Looks rows up by order id. */
public interface KeyLookup extends AutoCloseable {
    /**
     * Completes with the row's {@link io.flinkfluss.benchmarks.rows.Checksum}; exceptionally when
     * there is no row. Many may be on their way.
     */
    CompletableFuture<Long> checksum(long orderId);

    @Override
    void close() throws Exception;
}
