package io.flinkfluss.cli.quickstart;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.OwnThread;
import io.flinkfluss.cli.runtime.Stopwatch;
import io.flinkfluss.cli.text.TextTable;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * SQL on the cluster, in streaming mode and in batch mode. Prints each statement before it runs and
 * its result after. Every statement has a deadline.
 */
final class SqlSession {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Console console;
    private final OwnThread planner = new OwnThread("sql");
    private final TableEnvironment streaming;
    private final TableEnvironment batch;
    private String mode = "streaming";

    SqlSession(Console console, Map<String, String> settings) {
        this.console = console;
        Configuration configuration = Configuration.fromMap(settings);
        this.streaming = create(EnvironmentSettings.newInstance().inStreamingMode(), configuration);
        this.batch = create(EnvironmentSettings.newInstance().inBatchMode(), configuration);
    }

    private TableEnvironment create(
            EnvironmentSettings.Builder settings, Configuration configuration) {
        return planner.call(
                "the start of the SQL planner",
                PATIENCE,
                () -> TableEnvironment.create(settings.withConfiguration(configuration).build()));
    }

    /** A statement that has no rows: in both modes, because each has its own session. */
    void define(String sql) {
        console.statement(sql);
        run(streaming, sql);
        run(batch, sql);
        console.line("[INFO] Execute statement succeeded.");
    }

    /** A statement that changes the catalog. */
    void change(String sql) {
        console.statement(sql);
        run(streaming, sql);
        console.line("[INFO] Execute statement succeeded.");
    }

    /** A setting of the following streaming jobs. */
    void set(String key, String value) {
        console.statement("SET '" + key + "' = '" + value + "'");
        streaming.getConfig().set(key, value);
    }

    /** Starts a streaming INSERT that goes on. */
    JobClient startJob(String name, String sql) {
        mode("streaming");
        streaming.getConfig().set("pipeline.name", name);
        console.statement(sql);
        JobClient job =
                run(streaming, sql)
                        .getJobClient()
                        .orElseThrow(() -> new CliException("no job was started by: " + sql));
        console.line("[INFO] Job " + job.getJobID() + " is running: " + name);
        return job;
    }

    /** An INSERT, UPDATE or DELETE that ends. */
    void modify(String sql) {
        mode("batch");
        console.statement(sql);
        Stopwatch watch = new Stopwatch();
        TableResult result = run(batch, sql);
        planner.call(
                "the statement",
                PATIENCE,
                () -> {
                    result.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                    return null;
                });
        console.line("[INFO] Complete execution of the statement (" + watch.text() + ").");
    }

    /** A batch query. */
    List<Row> query(String sql) {
        mode("batch");
        return collect(batch, sql, Integer.MAX_VALUE);
    }

    /** A batch query that is not shown. */
    List<Row> quietQuery(String sql) {
        return rows(run(batch, sql), Integer.MAX_VALUE);
    }

    /** The first rows of a streaming query, which then is cancelled. */
    List<Row> firstRows(String sql, int count) {
        mode("streaming");
        return collect(streaming, sql, count);
    }

    /** Shows a change between batch and streaming; inside, each mode has its own session. */
    private void mode(String wanted) {
        if (!wanted.equals(mode)) {
            console.statement("SET 'execution.runtime-mode' = '" + wanted + "'");
            mode = wanted;
        }
    }

    private List<Row> collect(TableEnvironment environment, String sql, int limit) {
        console.statement(sql);
        Stopwatch watch = new Stopwatch();
        TableResult result = run(environment, sql);
        List<Row> rows = rows(result, limit);
        TextTable table = new TextTable(result.getResolvedSchema().getColumnNames());
        for (Row row : rows) {
            List<Object> cells = new ArrayList<>();
            for (int i = 0; i < row.getArity(); i++) {
                cells.add(text(row.getField(i)));
            }
            table.add(cells);
        }
        console.table(table);
        console.line("  " + rows.size() + " rows in " + watch.text());
        return rows;
    }

    private List<Row> rows(TableResult result, int limit) {
        return planner.call(
                "the query",
                PATIENCE,
                () -> {
                    List<Row> rows = new ArrayList<>();
                    try (CloseableIterator<Row> iterator = result.collect()) {
                        while (rows.size() < limit && iterator.hasNext()) {
                            rows.add(iterator.next());
                        }
                    }
                    return rows;
                });
    }

    private static Object text(Object value) {
        if (value instanceof LocalDateTime time) {
            return time.toString().replace('T', ' ');
        }
        return value instanceof Double number ? String.format("%.2f", number) : value;
    }

    private TableResult run(TableEnvironment environment, String sql) {
        return planner.call("the statement", PATIENCE, () -> environment.executeSql(sql));
    }
}
