package io.flinkfluss.flink.connection;

import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.StorageService;

/**
 * Another way to reach a storage service than over the network, found by {@link
 * java.util.ServiceLoader}. It is used for {@code 'bootstrap.servers' = 'scheme://…'}; a plain
 * host:port never gets here. Tests of the Flink modules bring one for a service in memory.
 */
public interface StorageConnector {
    /** The part of {@code bootstrap.servers} before {@code ://}. */
    String scheme();

    /** Opens a service; {@link Connections} closes it after its last use. */
    StorageService connect(ConnectionOptions options);
}
