package io.flinkfluss.storage.client;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.client.write.WriterSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * How to reach and use a storage service.
 *
 * @param bootstrapServers one or more {@code host:port}; any node that answers will do
 * @param connectTimeout how long {@link FlussClient#connect} and each connection may take
 * @param requestTimeout how long an operation or a lookup is tried
 * @param deliveryTimeout how long a write is tried, and a broken read repaired
 * @param writerMemoryBytes how many bytes of this client's writes may wait for acknowledgement
 *     before callers block
 * @param readBufferBytes how much one read may hold that nobody polled yet
 * @param readMemoryBytes how much all reads may hold; beyond that each may hold one batch
 * @param directMemoryBytes the most that Arrow buffers of this client take outside of the heap
 * @param writer how rows become batches
 */
public record ClientConfig(
        List<String> bootstrapServers,
        Duration connectTimeout,
        Duration requestTimeout,
        Duration deliveryTimeout,
        long writerMemoryBytes,
        int readBufferBytes,
        long readMemoryBytes,
        long directMemoryBytes,
        WriterSettings writer) {
    public ClientConfig {
        bootstrapServers = List.copyOf(bootstrapServers);
        if (bootstrapServers.isEmpty()) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "no bootstrap servers are given; give a comma list of host:port, for example"
                            + " localhost:9123");
        }
        requirePositive("connect timeout", connectTimeout.toMillis());
        requirePositive("request timeout", requestTimeout.toMillis());
        requirePositive("delivery timeout", deliveryTimeout.toMillis());
        requirePositive("writer memory", writerMemoryBytes);
        requirePositive("read buffer", readBufferBytes);
        requirePositive("read memory", readMemoryBytes);
        requirePositive("direct memory", directMemoryBytes);
    }

    /**
     * The defaults.
     *
     * @param bootstrapServers a comma list of {@code host:port}
     */
    public static ClientConfig of(String bootstrapServers) {
        List<String> servers =
                Arrays.stream(bootstrapServers.split(","))
                        .map(String::trim)
                        .filter(server -> !server.isEmpty())
                        .toList();
        return new ClientConfig(
                servers,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofMinutes(2),
                64L << 20,
                4 << 20,
                64L << 20,
                512L << 20,
                WriterSettings.DEFAULT);
    }

    public ClientConfig withConnectTimeout(Duration value) {
        return new ClientConfig(
                bootstrapServers,
                value,
                requestTimeout,
                deliveryTimeout,
                writerMemoryBytes,
                readBufferBytes,
                readMemoryBytes,
                directMemoryBytes,
                writer);
    }

    public ClientConfig withRequestTimeout(Duration value) {
        return new ClientConfig(
                bootstrapServers,
                connectTimeout,
                value,
                deliveryTimeout,
                writerMemoryBytes,
                readBufferBytes,
                readMemoryBytes,
                directMemoryBytes,
                writer);
    }

    public ClientConfig withDeliveryTimeout(Duration value) {
        return new ClientConfig(
                bootstrapServers,
                connectTimeout,
                requestTimeout,
                value,
                writerMemoryBytes,
                readBufferBytes,
                readMemoryBytes,
                directMemoryBytes,
                writer);
    }

    public ClientConfig withWriterMemoryBytes(long value) {
        return new ClientConfig(
                bootstrapServers,
                connectTimeout,
                requestTimeout,
                deliveryTimeout,
                value,
                readBufferBytes,
                readMemoryBytes,
                directMemoryBytes,
                writer);
    }

    public ClientConfig withReadBufferBytes(int value) {
        return new ClientConfig(
                bootstrapServers,
                connectTimeout,
                requestTimeout,
                deliveryTimeout,
                writerMemoryBytes,
                value,
                readMemoryBytes,
                directMemoryBytes,
                writer);
    }

    public ClientConfig withReadMemoryBytes(long value) {
        return new ClientConfig(
                bootstrapServers,
                connectTimeout,
                requestTimeout,
                deliveryTimeout,
                writerMemoryBytes,
                readBufferBytes,
                value,
                directMemoryBytes,
                writer);
    }

    public ClientConfig withDirectMemoryBytes(long value) {
        return new ClientConfig(
                bootstrapServers,
                connectTimeout,
                requestTimeout,
                deliveryTimeout,
                writerMemoryBytes,
                readBufferBytes,
                readMemoryBytes,
                value,
                writer);
    }

    public ClientConfig withWriter(WriterSettings value) {
        return new ClientConfig(
                bootstrapServers,
                connectTimeout,
                requestTimeout,
                deliveryTimeout,
                writerMemoryBytes,
                readBufferBytes,
                readMemoryBytes,
                directMemoryBytes,
                value);
    }

    private static void requirePositive(String what, long value) {
        if (value < 1) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST, "the " + what + " is 1 or more, not " + value);
        }
    }
}
