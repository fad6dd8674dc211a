package io.flinkfluss.benchmarks.product;

import io.flinkfluss.benchmarks.driver.CustomerLookup;
import io.flinkfluss.benchmarks.driver.KeyLookup;
import io.flinkfluss.benchmarks.driver.RowReader;
import io.flinkfluss.benchmarks.driver.RowWriter;
import io.flinkfluss.benchmarks.driver.Servers;
import io.flinkfluss.benchmarks.driver.SystemClient;
import io.flinkfluss.benchmarks.rows.OrderRow;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.admin.ClusterInspector;
import io.flinkfluss.storage.client.write.TableWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** This product through its client library. */
final class ProductClient implements SystemClient {
    private static final String DATABASE = "fluss";
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final FlussClient client;
    private final Servers servers;
    private final Map<String, TableInfo> tables = new HashMap<>();

    ProductClient(FlussClient client, Servers servers) {
        this.client = client;
        this.servers = servers;
    }

    @Override
    public void createLog(String table, int buckets) {
        create(table, OrderTables.log(buckets, servers.nodes()));
    }

    @Override
    public void createKeyed(String table, int buckets) {
        create(table, OrderTables.keyed(buckets, servers.nodes()));
    }

    @Override
    public void createByCustomer(String table, int buckets) {
        create(table, OrderTables.byCustomer(buckets, servers.nodes()));
    }

    private void create(String table, TableDescriptor descriptor) {
        tables.put(table, client.admin().createTable(path(table), descriptor));
    }

    @Override
    public void drop(String table) {
        client.admin().dropTable(path(table));
        tables.remove(table);
    }

    @Override
    public RowWriter appender(String table) {
        return new Writer(client.writer(tables.get(table)), TableWriter::append);
    }

    @Override
    public RowWriter upserter(String table) {
        return new Writer(client.writer(tables.get(table)), TableWriter::upsert);
    }

    @Override
    public RowReader reader(String table, Columns columns) {
        return new LogTableReader(client, tables.get(table), columns, LogFilter.NONE);
    }

    @Override
    public RowReader reader(String table, Columns columns, long firstOrder, long endOrder) {
        TableInfo info = tables.get(table);
        return new LogTableReader(
                client, info, columns, OrderTables.ordersFrom(info, firstOrder, endOrder));
    }

    @Override
    public KeyLookup lookup(String table) {
        return new OrderLookup(client.kvReader(), tables.get(table));
    }

    @Override
    public CustomerLookup customerLookup(String table) {
        return new OrdersOfCustomer(client.kvReader(), tables.get(table));
    }

    /** Servers name their nodes n1, n2 and so on; one alone has another name. */
    @Override
    public int leader(String table) {
        try (ClusterInspector inspector = new ClusterInspector(PATIENCE)) {
            ClusterView view = inspector.view(List.of(servers.addresses().split(",")));
            int shard = tables.get(table).buckets().get(0).shard(view.shards().size());
            return Integer.parseInt(view.shards().get(shard).leader().substring(1));
        }
    }

    @Override
    public long countRows(String table) {
        return client
                .logReader()
                .offsets(tables.get(table).buckets(), new OffsetSpec.Latest())
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Override
    public void close() {
        client.close();
    }

    private static TablePath path(String table) {
        return new TablePath(DATABASE, table);
    }

    /** How a row is given to the writer. */
    private interface Call {
        void write(TableWriter writer, WrittenRow row);
    }

    private static final class Writer implements RowWriter {
        private final TableWriter writer;
        private final Call call;
        private final WrittenRow view = new WrittenRow();

        Writer(TableWriter writer, Call call) {
            this.writer = writer;
            this.call = call;
        }

        @Override
        public void write(OrderRow row) {
            call.write(writer, view.of(row));
        }

        @Override
        public void flush() throws InterruptedException {
            writer.flush();
        }

        @Override
        public void close() {
            writer.close();
        }
    }
}
