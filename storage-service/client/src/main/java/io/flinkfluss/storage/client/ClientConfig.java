package io.flinkfluss.storage.client;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.client.write.WriterSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * How to reach and use a storage service.
 *
 * @param bootstrapServers one or more {@code host:port}; any node that answers will do
 * @param writer how rows become batches
 * @param readFrom which replicas may answer reads of logs
 */
public record ClientConfig(
        List<String> bootstrapServers,
        Timeouts timeouts,
        Memory memory,
        WriterSettings writer,
        ReadFrom readFrom) {
    /**
     * @param connect how long {@link FlussClient#connect} and each connection may take
     * @param request how long an operation or a lookup is tried
     * @param delivery how long a write is tried, and a broken read repaired
     * @param silence how long a node may leave a request unanswered before the other nodes are
     *     asked whether it still leads; a node that is silent for longer may be left
     */
    public record Timeouts(
            Duration connect, Duration request, Duration delivery, Duration silence) {
        /** 5 s, 30 s, 2 min, 1 s. */
        public static final Timeouts DEFAULT =
                new Timeouts(
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(2),
                        Duration.ofSeconds(1));

        public Timeouts {
            requirePositive("connect timeout", connect.toMillis());
            requirePositive("request timeout", request.toMillis());
            requirePositive("delivery timeout", delivery.toMillis());
            requirePositive("silence", silence.toMillis());
        }
    }

    /**
     * @param writerBytes how many bytes of this client's writes may wait for acknowledgement before
     *     callers block
     * @param readBufferBytes how much one read may hold that nobody polled yet
     * @param readBytes how much all reads may hold; beyond that each may hold one batch
     * @param directBytes the most that Arrow buffers of this client take outside of the heap
     */
    public record Memory(long writerBytes, int readBufferBytes, long readBytes, long directBytes) {
        /** 64 MiB, 4 MiB, 64 MiB, 512 MiB. */
        public static final Memory DEFAULT = new Memory(64L << 20, 4 << 20, 64L << 20, 512L << 20);

        public Memory {
            requirePositive("writer memory", writerBytes);
            requirePositive("read buffer", readBufferBytes);
            requirePositive("read memory", readBytes);
            requirePositive("direct memory", directBytes);
        }
    }

    public ClientConfig {
        bootstrapServers = List.copyOf(bootstrapServers);
        if (bootstrapServers.isEmpty()) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "no bootstrap servers are given; give a comma list of host:port, for example"
                            + " localhost:9123");
        }
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
                servers, Timeouts.DEFAULT, Memory.DEFAULT, WriterSettings.DEFAULT, ReadFrom.LEADER);
    }

    public ClientConfig withConnectTimeout(Duration value) {
        return with(new Timeouts(value, timeouts.request, timeouts.delivery, timeouts.silence));
    }

    public ClientConfig withRequestTimeout(Duration value) {
        return with(new Timeouts(timeouts.connect, value, timeouts.delivery, timeouts.silence));
    }

    public ClientConfig withDeliveryTimeout(Duration value) {
        return with(new Timeouts(timeouts.connect, timeouts.request, value, timeouts.silence));
    }

    public ClientConfig withSilence(Duration value) {
        return with(new Timeouts(timeouts.connect, timeouts.request, timeouts.delivery, value));
    }

    public ClientConfig withWriterMemoryBytes(long value) {
        return with(
                new Memory(value, memory.readBufferBytes, memory.readBytes, memory.directBytes));
    }

    public ClientConfig withReadBufferBytes(int value) {
        return with(new Memory(memory.writerBytes, value, memory.readBytes, memory.directBytes));
    }

    public ClientConfig withReadMemoryBytes(long value) {
        return with(
                new Memory(memory.writerBytes, memory.readBufferBytes, value, memory.directBytes));
    }

    public ClientConfig withDirectMemoryBytes(long value) {
        return with(
                new Memory(memory.writerBytes, memory.readBufferBytes, memory.readBytes, value));
    }

    public ClientConfig withWriter(WriterSettings value) {
        return new ClientConfig(bootstrapServers, timeouts, memory, value, readFrom);
    }

    public ClientConfig withReadFrom(ReadFrom value) {
        return new ClientConfig(bootstrapServers, timeouts, memory, writer, value);
    }

    private ClientConfig with(Timeouts value) {
        return new ClientConfig(bootstrapServers, value, memory, writer, readFrom);
    }

    private ClientConfig with(Memory value) {
        return new ClientConfig(bootstrapServers, timeouts, value, writer, readFrom);
    }

    private static void requirePositive(String what, long value) {
        if (value < 1) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST, "the " + what + " is 1 or more, not " + value);
        }
    }
}
