package io.flinkfluss.flink.connection;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.client.FlussClient;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One use of a shared connection; close it exactly when you are done (closing again does nothing).
 * Safe for use by many threads.
 */
public final class Connection implements AutoCloseable {
    private final StorageService service;
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    Connection(StorageService service, Runnable release) {
        this.service = service;
        this.release = release;
    }

    /** The service; do not close it. */
    public StorageService service() {
        return service;
    }

    /**
     * The client of a service on the network, for its writers.
     *
     * @throws IllegalStateException when the service was reached by a {@link StorageConnector}
     */
    public FlussClient client() {
        if (service instanceof FlussClient client) {
            return client;
        }
        throw new IllegalStateException(
                "this connection does not go over the network, so there is no client; use service()");
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.run();
        }
    }
}
