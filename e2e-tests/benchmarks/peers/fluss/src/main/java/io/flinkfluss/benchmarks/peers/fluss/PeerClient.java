package io.flinkfluss.benchmarks.peers.fluss;

import io.flinkfluss.benchmarks.driver.CustomerLookup;
import io.flinkfluss.benchmarks.driver.KeyLookup;
import io.flinkfluss.benchmarks.driver.RowReader;
import io.flinkfluss.benchmarks.driver.RowWriter;
import io.flinkfluss.benchmarks.driver.Servers;
import io.flinkfluss.benchmarks.driver.SystemClient;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.metadata.MetadataUpdater;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.exception.FlussRuntimeException;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;

/** Apache Fluss through its client library. */
final class PeerClient implements SystemClient {
    private static final String DATABASE = "benchmark";
    private static final long PATIENCE_SECONDS = 60;
    private static final long RETRY_NANOS = 20_000_000;

    private final Connection connection;
    private final Admin admin;

    private PeerClient(Connection connection) {
        this.connection = connection;
        admin = connection.getAdmin();
    }

    /** One attempt. */
    static SystemClient connect(Servers servers) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setString("bootstrap.servers", servers.addresses());
        servers.options().forEach(configuration::setString);
        PeerClient client = new PeerClient(ConnectionFactory.createConnection(configuration));
        try {
            client.admin
                    .createDatabase(DATABASE, DatabaseDescriptor.EMPTY, true)
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return client;
        } catch (Exception e) {
            client.close();
            throw e;
        }
    }

    @Override
    public void createLog(String table, int buckets) throws Exception {
        create(table, OrderTables.log(buckets));
    }

    @Override
    public void createKeyed(String table, int buckets) throws Exception {
        create(table, OrderTables.keyed(buckets));
    }

    @Override
    public void createByCustomer(String table, int buckets) throws Exception {
        create(table, OrderTables.byCustomer(buckets));
    }

    /**
     * The coordinator answers before it knows the tablet server, and knows a table before it has
     * leaders.
     */
    private void create(String table, TableDescriptor descriptor) throws Exception {
        retried(() -> admin.createTable(path(table), descriptor, true).get(1, TimeUnit.MINUTES));
        retried(() -> countRows(table));
    }

    private static void retried(Callable<?> call) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                call.call();
                return;
            } catch (ExecutionException | FlussRuntimeException notYet) {
                if (System.nanoTime() - end > 0) {
                    throw notYet;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    @Override
    public void drop(String table) throws Exception {
        admin.dropTable(path(table), true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public RowWriter appender(String table) {
        Table opened = connection.getTable(path(table));
        AppendWriter writer = opened.newAppend().createWriter();
        return new OrderWriter(opened, writer::append, writer::flush);
    }

    @Override
    public RowWriter upserter(String table) {
        Table opened = connection.getTable(path(table));
        UpsertWriter writer = opened.newUpsert().createWriter();
        return new OrderWriter(opened, writer::upsert, writer::flush);
    }

    @Override
    public RowReader reader(String table, Columns columns) {
        return new OrderReader(connection.getTable(path(table)), columns);
    }

    @Override
    public KeyLookup lookup(String table) {
        return new OrderLookup(connection.getTable(path(table)));
    }

    @Override
    public CustomerLookup customerLookup(String table) {
        return new OrdersOfCustomer(connection.getTable(path(table)));
    }

    /** Tablet servers have the numbers of their nodes as ids. */
    @Override
    public int leader(String table) throws Exception {
        TablePath path = path(table);
        long id = admin.getTableInfo(path).get(PATIENCE_SECONDS, TimeUnit.SECONDS).getTableId();
        MetadataUpdater metadata = ((FlussConnection) connection).getMetadataUpdater();
        TableBucket bucket = new TableBucket(id, 0);
        metadata.checkAndUpdateMetadata(path, bucket);
        return metadata.leaderFor(path, bucket);
    }

    @Override
    public long countRows(String table) throws Exception {
        int buckets =
                admin.getTableInfo(path(table))
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .getNumBuckets();
        List<Integer> all = IntStream.range(0, buckets).boxed().toList();
        return admin
                .listOffsets(path(table), all, new OffsetSpec.LatestSpec())
                .all()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Override
    public void close() throws Exception {
        admin.close();
        connection.close();
    }

    private static TablePath path(String table) {
        return TablePath.of(DATABASE, table);
    }
}
