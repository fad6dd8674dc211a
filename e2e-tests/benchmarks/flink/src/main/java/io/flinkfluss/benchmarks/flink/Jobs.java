package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.driver.Deadline;
import io.flinkfluss.benchmarks.driver.WrongAnswerException;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * Runs statements in a Flink cluster inside this process and measures them, from the statement to
 * the end of its job.
 */
final class Jobs {
    private static final int PARALLELISM = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final long LOOK_MILLIS = 5;
    private static final long CANCEL_SECONDS = 30;

    private final StreamTableEnvironment streaming;
    private final StreamTableEnvironment batch;

    /**
     * @param catalog statement that creates the catalog "fl"
     * @param settings of Flink's tables
     */
    Jobs(String catalog, Map<String, String> settings) {
        streaming = environment(EnvironmentSettings.inStreamingMode(), settings);
        batch = environment(EnvironmentSettings.inBatchMode(), settings);
        streaming.executeSql(catalog);
        batch.executeSql(catalog);
    }

    private static StreamTableEnvironment environment(
            EnvironmentSettings mode, Map<String, String> settings) {
        StreamTableEnvironment tables =
                StreamTableEnvironment.create(
                        StreamExecutionEnvironment.createLocalEnvironment(
                                PARALLELISM, new Configuration()),
                        mode);
        settings.forEach((key, value) -> tables.getConfig().set(key, value));
        return tables;
    }

    /** Runs a statement that is not measured, for streams; those for batches see its tables too. */
    void run(String statement) throws Exception {
        await(streaming.executeSql(statement), Deadline.in(PATIENCE));
    }

    /**
     * Runs an INSERT that ends.
     *
     * @param rows that it inserts
     */
    Usage insert(String statement, long rows, Meter.Surroundings surroundings) throws Exception {
        Meter meter = Meter.start(surroundings);
        await(streaming.executeSql(statement), Deadline.in(PATIENCE));
        return meter.stop(rows);
    }

    private static void await(TableResult result, Deadline deadline) throws Exception {
        while (!isDone(result)) {
            deadline.check("a job does not end");
        }
    }

    private static boolean isDone(TableResult result)
            throws ExecutionException, InterruptedException {
        try {
            result.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException stillRunning) {
            return false;
        }
    }

    /**
     * What an INSERT into a tally did.
     *
     * @param usage of the rows that came
     * @param isCut whether the time was over before all had come
     */
    record Seen(Usage usage, boolean isCut) {}

    /**
     * Runs an INSERT into a tally until so many rows came, the job ended, or the time is over; then
     * cancels it.
     *
     * @param longest from the first row on
     */
    Seen untilSeen(
            String statement,
            Tally tally,
            long rows,
            Duration longest,
            Meter.Surroundings surroundings)
            throws Exception {
        Deadline first = Deadline.in(PATIENCE);
        Deadline last = first;
        Meter meter = Meter.start(surroundings);
        TableResult result = streaming.executeSql(statement);
        boolean done = false;
        while (!done && tally.rows() < rows && !last.isOver()) {
            done = isDone(result);
            last = last == first && tally.rows() > 0 ? Deadline.in(longest) : last;
        }
        Usage usage = meter.stop(tally.rows());
        if (!done) {
            cancel(result);
        }
        return new Seen(usage, !done && usage.rows() < rows);
    }

    private static void cancel(TableResult result) throws Exception {
        JobClient job = result.getJobClient().orElseThrow();
        try {
            job.cancel().get(CANCEL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | IllegalStateException ended) {
            // A bounded job may end by itself at this moment, and its cluster with it.
            ended.printStackTrace(System.err);
        }
    }

    /**
     * Runs a query for one row as a batch.
     *
     * @param rows that it reads
     * @param expected the row's fields
     */
    Usage query(String statement, long rows, List<?> expected, Meter.Surroundings surroundings)
            throws Exception {
        Meter meter = Meter.start(surroundings);
        List<Row> found = new ArrayList<>();
        try (CloseableIterator<Row> answers = batch.executeSql(statement).collect()) {
            answers.forEachRemaining(found::add);
        }
        Usage usage = meter.stop(rows);
        Row right = Row.of(expected.toArray());
        if (!found.equals(List.of(right))) {
            throw new WrongAnswerException("the answer to " + statement, right, found);
        }
        return usage;
    }
}
