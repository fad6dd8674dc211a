package io.flinkfluss.benchmarks.peers.kafka;

import io.flinkfluss.benchmarks.driver.KeyLookup;
import io.flinkfluss.benchmarks.driver.RowReader;
import io.flinkfluss.benchmarks.driver.RowWriter;
import io.flinkfluss.benchmarks.driver.SystemClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Apache Kafka through its client library. Client options that begin with {@code producer.} or
 * {@code consumer.} go to those.
 */
final class PeerClient implements SystemClient {
    private static final String PRODUCER = "producer.";
    private static final String CONSUMER = "consumer.";
    private static final long PATIENCE_SECONDS = 60;
    private static final long RETRY_NANOS = 20_000_000;
    private static final String QUICK_RECONNECT_MILLIS = "20";

    private final String address;
    private final Map<String, String> options;
    private final Admin admin;
    private final Map<String, Integer> partitionCounts = new HashMap<>();

    private PeerClient(String address, Map<String, String> options) {
        this.address = address;
        this.options = Map.copyOf(options);
        admin =
                Admin.create(
                        Map.of(
                                "bootstrap.servers",
                                address,
                                "reconnect.backoff.ms",
                                QUICK_RECONNECT_MILLIS,
                                "reconnect.backoff.max.ms",
                                QUICK_RECONNECT_MILLIS));
    }

    /** One attempt. */
    static SystemClient connect(String address, Map<String, String> options) throws Exception {
        PeerClient client = new PeerClient(address, options);
        try {
            client.admin.describeCluster().nodes().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return client;
        } catch (Exception e) {
            client.close();
            throw e;
        }
    }

    /** The broker knows a topic before it leads its partitions; until then batches are refused. */
    @Override
    public void createLog(String table, int buckets) throws Exception {
        admin.createTopics(List.of(new NewTopic(table, buckets, (short) 1)))
                .all()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        partitionCounts.put(table, buckets);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                countRows(table);
                return;
            } catch (ExecutionException notYet) {
                if (System.nanoTime() - end > 0) {
                    throw notYet;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    @Override
    public void createKeyed(String table, int buckets) {
        throw noKeys();
    }

    @Override
    public void drop(String table) throws Exception {
        admin.deleteTopics(List.of(table)).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public RowWriter appender(String table) {
        return new OrderProducer(configuration(PRODUCER), table);
    }

    @Override
    public RowWriter upserter(String table) {
        throw noKeys();
    }

    @Override
    public RowReader reader(String table, Columns columns) {
        Map<String, Object> configuration = configuration(CONSUMER);
        configuration.put("enable.auto.commit", "false");
        return new OrderConsumer(configuration, partitions(table));
    }

    @Override
    public KeyLookup lookup(String table) {
        throw noKeys();
    }

    @Override
    public long countRows(String table) throws Exception {
        Map<TopicPartition, OffsetSpec> asked =
                partitions(table).stream()
                        .collect(
                                Collectors.toMap(Function.identity(), each -> OffsetSpec.latest()));
        return admin
                .listOffsets(asked)
                .all()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .values()
                .stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }

    @Override
    public void close() {
        admin.close();
    }

    private List<TopicPartition> partitions(String table) {
        return IntStream.range(0, partitionCounts.get(table))
                .mapToObj(partition -> new TopicPartition(table, partition))
                .toList();
    }

    private Map<String, Object> configuration(String prefix) {
        Map<String, Object> configuration = new HashMap<>();
        configuration.put("bootstrap.servers", address);
        options.forEach(
                (key, value) -> {
                    if (key.startsWith(prefix)) {
                        configuration.put(key.substring(prefix.length()), value);
                    }
                });
        return configuration;
    }

    private static UnsupportedOperationException noKeys() {
        return new UnsupportedOperationException("Kafka has no tables that are looked up by key");
    }
}
