package io.flinkfluss.e2e.cluster;

import io.flinkfluss.flink.tiering.TieringJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.util.TestStreamEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * A storage process, an Iceberg warehouse and Flink SQL on both: what a user has in front of them.
 */
public final class Lakehouse implements AutoCloseable {
    private static final int PARALLELISM = 2;

    private final Path folder;
    private final StorageProcess storage;
    private final MiniCluster flink;
    private final TableEnvironment batch;
    private final TableEnvironment streaming;
    private final List<JobClient> jobs = new ArrayList<>();
    private int taskManager;

    public Lakehouse(Path folder) {
        this.folder = folder;
        this.storage =
                StorageProcess.start(
                        folder.resolve("data"),
                        "-D",
                        "datalake.format=iceberg",
                        "-D",
                        "datalake.iceberg.type=hadoop",
                        "-D",
                        "datalake.iceberg.warehouse=" + warehouse());
        this.flink = startFlink();
        TestStreamEnvironment.setAsContext(flink, PARALLELISM);
        this.batch = environment(EnvironmentSettings.newInstance().inBatchMode(), "none");
        this.streaming =
                environment(EnvironmentSettings.newInstance().inStreamingMode(), "fixed-delay");
    }

    private TableEnvironment environment(EnvironmentSettings.Builder settings, String restarts) {
        Configuration configuration = new Configuration();
        configuration.setString("parallelism.default", "2");
        configuration.setString("execution.checkpointing.interval", "1 s");
        configuration.setString("restart-strategy.type", restarts);
        configuration.setString("restart-strategy.fixed-delay.attempts", "100");
        configuration.setString("restart-strategy.fixed-delay.delay", "1 s");
        TableEnvironment environment =
                StreamTableEnvironment.create(
                        StreamExecutionEnvironment.getExecutionEnvironment(),
                        settings.withConfiguration(configuration).build());
        environment.executeSql(
                "CREATE CATALOG fluss WITH ('type'='fluss', 'bootstrap.servers'='"
                        + storage.address()
                        + "')");
        environment.executeSql("USE CATALOG fluss");
        return environment;
    }

    /** One Flink for all statements: starting one for each would take most of the time. */
    private static MiniCluster startFlink() {
        Configuration configuration = new Configuration();
        configuration.setString("rest.bind-port", "0");
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(8)
                                .build());
        try {
            cluster.start();
        } catch (Exception e) {
            throw new IllegalStateException("Flink did not start", e);
        }
        return cluster;
    }

    public StorageProcess storage() {
        return storage;
    }

    public Path warehouse() {
        return folder.resolve("warehouse");
    }

    public Path folder() {
        return folder;
    }

    /** Runs a statement in batch mode to its end. */
    public void run(String statement) {
        await(batch.executeSql(statement));
    }

    /** The rows of a batch query. */
    public List<Row> query(String query) {
        return rows(batch.executeSql(query));
    }

    /** The one number that a batch query answers. */
    public long number(String query) {
        return ((Number) query(query).get(0).getField(0)).longValue();
    }

    /** Submits a streaming statement and lets it run; {@link #close} ends it. */
    public JobClient submit(String statement) {
        JobClient job = streaming.executeSql(statement).getJobClient().orElseThrow();
        jobs.add(job);
        return job;
    }

    /** The first {@code count} rows of a streaming query, which is then ended. */
    public List<Row> first(int count, String query) throws Exception {
        TableResult result = streaming.executeSql(query);
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> iterator = result.collect()) {
            while (rows.size() < count && iterator.hasNext()) {
                rows.add(iterator.next());
            }
        }
        return rows;
    }

    public TableEnvironment streaming() {
        return streaming;
    }

    /** Starts the tiering job in a process of its own, so that it can be killed. */
    public Process startTiering() {
        return StorageProcess.java(
                "io.flinkfluss.flink.tiering.TieringJob",
                List.of(
                        "--fluss.bootstrap.servers",
                        storage.address(),
                        "--tiering.poll.table.interval",
                        "500ms"),
                folder.resolve("tiering.log"),
                "-Xmx1g");
    }

    /**
     * Submits the tiering job to the Flink of the statements, as {@code flink run} does with these
     * of Flink's settings, and lets it run; {@link #close} ends it.
     */
    public JobClient submitTiering(Map<String, String> settings) throws Exception {
        FlinkRun run =
                FlinkRun.detached(flink.getRestAddress().get(30, TimeUnit.SECONDS), settings);
        JobClient job =
                run.program(
                        () ->
                                TieringJob.main(
                                        new String[] {
                                            "--fluss.bootstrap.servers",
                                            storage.address(),
                                            "--tiering.poll.table.interval",
                                            "500ms"
                                        }));
        TestStreamEnvironment.setAsContext(flink, PARALLELISM);
        jobs.add(job);
        return job;
    }

    /** Ends Flink's only task manager with all tasks on it, and starts another. */
    public void replaceTaskManager() throws Exception {
        flink.terminateTaskManager(taskManager).get(30, TimeUnit.SECONDS);
        flink.startTaskManager();
        taskManager++;
    }

    private static void await(TableResult result) {
        try {
            result.await(120, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the statement did not end well", e);
        }
    }

    private static List<Row> rows(TableResult result) {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> iterator = result.collect()) {
            iterator.forEachRemaining(rows::add);
        } catch (Exception e) {
            throw new IllegalStateException("the query did not end well", e);
        }
        return rows;
    }

    @Override
    public void close() {
        for (JobClient job : jobs) {
            try {
                job.cancel().get(30, TimeUnit.SECONDS);
            } catch (Exception e) {
                // already ended
            }
        }
        TestStreamEnvironment.unsetAsContext();
        storage.close();
        try {
            flink.close();
        } catch (Exception e) {
            throw new IllegalStateException("Flink did not stop", e);
        }
    }
}
