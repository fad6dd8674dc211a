package io.flinkfluss.benchmarks.peers.kafka;

import io.flinkfluss.benchmarks.driver.CustomerLookup;
import io.flinkfluss.benchmarks.driver.KeyLookup;
import io.flinkfluss.benchmarks.driver.RowReader;
import io.flinkfluss.benchmarks.driver.RowWriter;
import io.flinkfluss.benchmarks.driver.Servers;
import io.flinkfluss.benchmarks.driver.SystemClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private final Servers servers;
    private final Admin admin;
    private final Map<String, Integer> partitionCounts = new HashMap<>();

    private PeerClient(Servers servers) {
        this.servers = servers;
        admin = admin();
    }

    private Admin admin() {
        return Admin.create(
                Map.of(
                        "bootstrap.servers",
                        servers.addresses(),
                        "reconnect.backoff.ms",
                        QUICK_RECONNECT_MILLIS,
                        "reconnect.backoff.max.ms",
                        QUICK_RECONNECT_MILLIS));
    }

    /** One attempt. */
    static SystemClient connect(Servers servers) throws Exception {
        PeerClient client = new PeerClient(servers);
        try {
            int up =
                    client.admin
                            .describeCluster()
                            .nodes()
                            .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                            .size();
            if (up < servers.nodes()) {
                throw new IllegalStateException(
                        up + " of " + servers.nodes() + " brokers are registered");
            }
            return client;
        } catch (Exception e) {
            client.close();
            throw e;
        }
    }

    /** A broker knows a topic before it leads its partitions; until then batches are refused. */
    @Override
    public void createLog(String table, int buckets) throws Exception {
        admin.createTopics(List.of(new NewTopic(table, Optional.of(buckets), Optional.empty())))
                .all()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        partitionCounts.put(table, buckets);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                countRows(admin, table);
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
    public void createByCustomer(String table, int buckets) {
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
    public CustomerLookup customerLookup(String table) {
        throw noKeys();
    }

    @Override
    public int leader(String table) throws Exception {
        return admin.describeTopics(List.of(table))
                .allTopicNames()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .get(table)
                .partitions()
                .get(0)
                .leader()
                .id();
    }

    /** With an admin client of its own: one that knew a leader which was killed waits for it. */
    @Override
    public long countRows(String table) throws Exception {
        try (Admin fresh = admin()) {
            return countRows(fresh, table);
        }
    }

    private long countRows(Admin admin, String table) throws Exception {
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
        configuration.put("bootstrap.servers", servers.addresses());
        servers.options()
                .forEach(
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
