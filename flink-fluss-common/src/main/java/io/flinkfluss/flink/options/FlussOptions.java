package io.flinkfluss.flink.options;

import io.flinkfluss.storage.api.record.ReadFrom;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;

/** How to reach the storage service, and the budgets of the client; the names are the anchor's. */
public final class FlussOptions {
    public static final ConfigOption<String> BOOTSTRAP_SERVERS =
            ConfigOptions.key("bootstrap.servers")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Comma list of host:port of one or more nodes of the storage service.");

    public static final ConfigOption<Duration> REQUEST_TIMEOUT =
            ConfigOptions.key("client.request-timeout")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(30))
                    .withDescription("How long one request may take, retries included.");

    public static final ConfigOption<Duration> CONNECT_TIMEOUT =
            ConfigOptions.key("client.connect-timeout")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(5))
                    .withDescription("How long the first connection may take before it fails.");

    public static final ConfigOption<Duration> DELIVERY_TIMEOUT =
            ConfigOptions.key("client.writer.delivery-timeout")
                    .durationType()
                    .defaultValue(Duration.ofMinutes(2))
                    .withDescription(
                            "How long a write is sent again, for example while a node restarts, before the job fails.");

    public static final ConfigOption<MemorySize> WRITER_BUFFER_MEMORY =
            ConfigOptions.key("client.writer.buffer.memory-size")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(64))
                    .withDescription(
                            "Memory for rows that are not yet acknowledged; when it is full, writing waits.");

    public static final ConfigOption<MemorySize> WRITER_BATCH_SIZE =
            ConfigOptions.key("client.writer.batch-size")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(1))
                    .withDescription(
                            "Size at which a batch of rows is full, before compression; batches are smaller while the writer keeps up.");

    public static final ConfigOption<Integer> WRITER_IN_FLIGHT =
            ConfigOptions.key("client.writer.max-inflight-requests-per-bucket")
                    .intType()
                    .defaultValue(4)
                    .withDescription("Batches of one bucket that may be on their way at once.");

    public static final ConfigOption<ReadFrom> SCANNER_READ_FROM =
            ConfigOptions.key("client.scanner.read-from")
                    .enumType(ReadFrom.class)
                    .defaultValue(ReadFrom.LEADER)
                    .withDescription(
                            "Which replicas answer reads of logs: 'leader', or 'any' to spread the load over all nodes; each client keeps to one replica per bucket while it answers.");

    /** The options of this class. */
    public static List<ConfigOption<?>> all() {
        return List.of(
                BOOTSTRAP_SERVERS,
                REQUEST_TIMEOUT,
                CONNECT_TIMEOUT,
                DELIVERY_TIMEOUT,
                WRITER_BUFFER_MEMORY,
                WRITER_BATCH_SIZE,
                WRITER_IN_FLIGHT,
                SCANNER_READ_FROM);
    }

    private FlussOptions() {}
}
