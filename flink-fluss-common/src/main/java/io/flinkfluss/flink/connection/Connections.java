package io.flinkfluss.flink.connection;

import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.write.WriterSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import javax.annotation.concurrent.GuardedBy;
import org.apache.flink.table.api.ValidationException;

/**
 * The connections of this process: users with equal {@link ConnectionOptions} share one, which is
 * closed after its last user. Safe for use by many threads; connecting and closing happen outside
 * of the lock.
 */
public final class Connections {
    private static final Connections PROCESS = new Connections();

    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Map<ConnectionOptions, Shared> open = new HashMap<>();

    private Connections() {}

    /**
     * Opens or shares a connection.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException UNREACHABLE within the connect
     *     timeout, naming the addresses
     */
    public static Connection acquire(ConnectionOptions options) {
        return PROCESS.share(options);
    }

    private Connection share(ConnectionOptions options) {
        Shared shared;
        synchronized (lock) {
            shared = open.computeIfAbsent(options, Shared::new);
            shared.users++;
        }
        try {
            return new Connection(shared.service(), () -> release(options, shared));
        } catch (RuntimeException e) {
            release(options, shared);
            throw e;
        }
    }

    private void release(ConnectionOptions options, Shared shared) {
        synchronized (lock) {
            shared.users--;
            if (shared.users > 0) {
                return;
            }
            open.remove(options, shared);
        }
        shared.close();
    }

    private static StorageService connect(ConnectionOptions options) {
        String servers = options.bootstrapServers();
        int separator = servers.indexOf("://");
        if (separator < 0) {
            return FlussClient.connect(clientConfig(options));
        }
        String scheme = servers.substring(0, separator);
        for (StorageConnector connector :
                ServiceLoader.load(
                        StorageConnector.class, StorageConnector.class.getClassLoader())) {
            if (connector.scheme().equals(scheme)) {
                return connector.connect(options);
            }
        }
        throw new ValidationException(
                "'bootstrap.servers' is '"
                        + servers
                        + "', but nothing here connects to "
                        + scheme
                        + "://; give a comma list of host:port");
    }

    private static ClientConfig clientConfig(ConnectionOptions options) {
        return ClientConfig.of(options.bootstrapServers())
                .withConnectTimeout(options.connectTimeout())
                .withRequestTimeout(options.requestTimeout())
                .withDeliveryTimeout(options.deliveryTimeout())
                .withWriterMemoryBytes(options.writerMemoryBytes())
                .withReadFrom(options.readFrom())
                .withWriter(
                        new WriterSettings(
                                options.writerBatchBytes(), options.maxInFlightPerBucket()));
    }

    /** One connection and the number of its users (guarded by the owner's lock). */
    private static final class Shared {
        private final ConnectionOptions options;
        private int users;
        private StorageService service;

        Shared(ConnectionOptions options) {
            this.options = options;
        }

        synchronized StorageService service() {
            if (service == null) {
                service = connect(options);
            }
            return service;
        }

        synchronized void close() {
            if (service != null) {
                service.close();
            }
        }
    }
}
