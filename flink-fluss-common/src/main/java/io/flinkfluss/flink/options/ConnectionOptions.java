package io.flinkfluss.flink.options;

import io.flinkfluss.storage.api.record.ReadFrom;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;

/**
 * Where the storage service is and what its client may use; travels with jobs. Equal options share
 * one connection per process.
 *
 * @param bootstrapServers comma list of host:port, or {@code scheme://rest} for a {@link
 *     io.flinkfluss.flink.connection.StorageConnector}
 */
public record ConnectionOptions(
        String bootstrapServers,
        Duration requestTimeout,
        Duration connectTimeout,
        Duration deliveryTimeout,
        long writerMemoryBytes,
        int writerBatchBytes,
        int maxInFlightPerBucket,
        ReadFrom readFrom)
        implements Serializable {
    private static final long MAX_BATCH_BYTES = 64L << 20;

    public ConnectionOptions {
        Objects.requireNonNull(bootstrapServers, "bootstrapServers");
        positive(FlussOptions.REQUEST_TIMEOUT.key(), requestTimeout.toMillis());
        positive(FlussOptions.CONNECT_TIMEOUT.key(), connectTimeout.toMillis());
        positive(FlussOptions.DELIVERY_TIMEOUT.key(), deliveryTimeout.toMillis());
        positive(FlussOptions.WRITER_BUFFER_MEMORY.key(), writerMemoryBytes);
        positive(FlussOptions.WRITER_BATCH_SIZE.key(), writerBatchBytes);
        positive(FlussOptions.WRITER_IN_FLIGHT.key(), maxInFlightPerBucket);
    }

    /** These servers, everything else at its default. */
    public static ConnectionOptions of(String bootstrapServers) {
        return new ConnectionOptions(
                bootstrapServers,
                FlussOptions.REQUEST_TIMEOUT.defaultValue(),
                FlussOptions.CONNECT_TIMEOUT.defaultValue(),
                FlussOptions.DELIVERY_TIMEOUT.defaultValue(),
                FlussOptions.WRITER_BUFFER_MEMORY.defaultValue().getBytes(),
                (int) FlussOptions.WRITER_BATCH_SIZE.defaultValue().getBytes(),
                FlussOptions.WRITER_IN_FLIGHT.defaultValue(),
                FlussOptions.SCANNER_READ_FROM.defaultValue());
    }

    /**
     * Parses {@link FlussOptions}.
     *
     * @throws ValidationException when bootstrap.servers is missing or a value is out of range
     */
    public static ConnectionOptions of(ReadableConfig config) {
        String servers =
                config.getOptional(FlussOptions.BOOTSTRAP_SERVERS)
                        .orElseThrow(
                                () ->
                                        new ValidationException(
                                                "'bootstrap.servers' is missing: give host:port of a node of the storage service, in the catalog or on the table"));
        return new ConnectionOptions(
                servers,
                config.get(FlussOptions.REQUEST_TIMEOUT),
                config.get(FlussOptions.CONNECT_TIMEOUT),
                config.get(FlussOptions.DELIVERY_TIMEOUT),
                config.get(FlussOptions.WRITER_BUFFER_MEMORY).getBytes(),
                batchBytes(config.get(FlussOptions.WRITER_BATCH_SIZE)),
                config.get(FlussOptions.WRITER_IN_FLIGHT),
                config.get(FlussOptions.SCANNER_READ_FROM));
    }

    private static int batchBytes(MemorySize size) {
        if (size.getBytes() > MAX_BATCH_BYTES) {
            throw new ValidationException(
                    "'"
                            + FlussOptions.WRITER_BATCH_SIZE.key()
                            + "' must be at most "
                            + MAX_BATCH_BYTES
                            + " bytes, not "
                            + size.getBytes());
        }
        return (int) size.getBytes();
    }

    private static void positive(String option, long value) {
        if (value < 1) {
            throw new ValidationException("'" + option + "' must be positive, not " + value);
        }
    }
}
