package io.flinkfluss.flink.catalog;

import io.flinkfluss.flink.connection.MemoryConnector;
import io.flinkfluss.storage.api.StorageService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Flink SQL on a service in memory. */
final class CatalogSession implements AutoCloseable {
    private static final AtomicInteger SESSIONS = new AtomicInteger();

    /** Flink never closes catalogs, so their connections stay open: each session has its own. */
    private final String name = "catalog-" + SESSIONS.incrementAndGet();

    private final String servers;

    private final TableEnvironment batch;
    private final TableEnvironment streaming;

    CatalogSession(StorageService service) {
        servers = MemoryConnector.register(name, service);
        batch = environment(EnvironmentSettings.newInstance().inBatchMode(), servers);
        streaming = environment(EnvironmentSettings.newInstance().inStreamingMode(), servers);
    }

    private static TableEnvironment environment(
            EnvironmentSettings.Builder settings, String servers) {
        Configuration configuration = new Configuration();
        configuration.setString("table.local-time-zone", "UTC");
        TableEnvironment environment =
                StreamTableEnvironment.create(
                        StreamExecutionEnvironment.getExecutionEnvironment(),
                        settings.withConfiguration(configuration).build());
        environment.executeSql(
                "CREATE CATALOG c WITH ('type'='fluss', 'bootstrap.servers'='" + servers + "')");
        environment.executeSql("USE CATALOG c");
        return environment;
    }

    String servers() {
        return servers;
    }

    TableEnvironment batch() {
        return batch;
    }

    /** Runs a statement to its end, in batch mode. */
    void run(String statement) throws Exception {
        batch.executeSql(statement).await();
    }

    /** The plans of a batch query. */
    String explain(String query) {
        return batch.explainSql(query);
    }

    /** The rows of a batch query. */
    List<String> query(String query) throws Exception {
        return rows(batch.executeSql(query), Integer.MAX_VALUE);
    }

    /** The first rows of a streaming query, which is then ended. */
    List<String> stream(int count, String query) throws Exception {
        return rows(streaming.executeSql(query), count);
    }

    private static List<String> rows(TableResult result, int count) throws Exception {
        List<String> rows = new ArrayList<>();
        try (CloseableIterator<Row> iterator = result.collect()) {
            while (rows.size() < count && iterator.hasNext()) {
                rows.add(iterator.next().toString());
            }
        }
        return rows;
    }

    @Override
    public void close() {
        MemoryConnector.unregister(name);
    }
}
