package io.flinkfluss.flink.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.CommonTestUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.data.RowData;

/** A job of a source and a function that writes down, in this process, what it sees. */
public final class RecordingJob implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 60;
    private static final Map<String, BlockingQueue<String>> RECORDED = new ConcurrentHashMap<>();

    private final String name = UUID.randomUUID().toString();
    private final BlockingQueue<String> rows = new LinkedBlockingQueue<>();
    private final JobClient client;

    private RecordingJob(FlussSource source, int parallelism, @Nullable String savepoint)
            throws Exception {
        RECORDED.put(name, rows);
        Configuration config = new Configuration();
        config.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
        if (savepoint != null) {
            config.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        }
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(config);
        environment.setParallelism(parallelism);
        environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), "table")
                .uid("table")
                .map(new Recorder(name, new RowText(source.rowType())))
                .uid("recorder")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        client = environment.executeAsync("recording");
    }

    public static RecordingJob start(FlussSource source, int parallelism) throws Exception {
        return new RecordingJob(source, parallelism, null);
    }

    public static RecordingJob restore(FlussSource source, int parallelism, String savepoint)
            throws Exception {
        return new RecordingJob(source, parallelism, savepoint);
    }

    /** Takes this many rows, waiting for each. */
    public List<String> take(int count) throws InterruptedException {
        List<String> taken = new ArrayList<>();
        while (taken.size() < count) {
            String row = rows.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
            if (row == null) {
                throw new AssertionError("only these rows came: " + taken);
            }
            taken.add(row);
        }
        return taken;
    }

    /** Waits for the job's end and takes every row. */
    public List<String> takeAll() throws Exception {
        client.getJobExecutionResult().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        List<String> taken = new ArrayList<>();
        rows.drainTo(taken);
        return taken;
    }

    /**
     * Stops the job with a savepoint and gives its path; rows that came until then can be taken.
     * Flink refuses a savepoint while a task is still starting, so this waits until all run.
     */
    public String stopWithSavepoint(MiniCluster cluster, Path folder) throws Exception {
        CommonTestUtils.waitForAllTaskRunning(cluster, client.getJobID(), false);
        return client.stopWithSavepoint(
                        false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    /** Rows that came and were not taken. */
    public List<String> left() {
        return List.copyOf(rows);
    }

    @Override
    public void close() throws Exception {
        if (!client.getJobStatus().get(DEADLINE_SECONDS, TimeUnit.SECONDS).isTerminalState()) {
            client.cancel().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        }
        RECORDED.remove(name);
    }

    private static final class Recorder extends RichMapFunction<RowData, String> {
        private static final long serialVersionUID = 1L;

        private final String job;
        private final RowText text;
        private transient BlockingQueue<String> rows;

        Recorder(String job, RowText text) {
            this.job = job;
            this.text = text;
        }

        @Override
        public void open(OpenContext context) {
            rows = RECORDED.get(job);
        }

        @Override
        public String map(RowData row) {
            String line = text.of(row);
            rows.add(line);
            return line;
        }
    }
}
