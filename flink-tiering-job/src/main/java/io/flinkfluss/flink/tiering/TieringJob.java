package io.flinkfluss.flink.tiering;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.lake.LakeFormats;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits the tiering job. Refuses to start when no lake is set or its settings are wrong. When the
 * storage service or the lake's catalog does not answer it starts all the same and waits: Flink
 * runs this again whenever it restores the job, which may be while servers are still starting.
 * Afterwards it restarts for ever.
 */
public final class TieringJob {
    private static final Logger LOG = LoggerFactory.getLogger(TieringJob.class);

    private TieringJob() {}

    public static void main(String[] arguments) throws Exception {
        TieringOptions options = TieringOptions.parse(arguments);
        checkLake(options);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration());
        build(environment, options);
        environment.execute("fluss-tiering");
    }

    static void build(StreamExecutionEnvironment environment, TieringOptions options) {
        environment.configure(configuration());
        environment
                .fromSource(new TieringSource(options), WatermarkStrategy.noWatermarks(), "tiering")
                .uid("tiering")
                .sinkTo(new DiscardingSink<>())
                .name("nothing");
    }

    /**
     * Opens the lake once to see that it works, so that whoever starts the job learns at once what
     * only a person can put right. What may pass by itself is left to the job.
     */
    private static void checkLake(TieringOptions options) {
        try (Connection connection = Connections.acquire(options.connection())) {
            LakeFormats.open(options.lakeSettings(connection.service().admin().lakeSettings()))
                    .close();
        } catch (StorageException e) {
            if (!e.isWorthRepeating()) {
                throw e;
            }
            LOG.warn(
                    "The lake was not checked, since the storage service at {} or the lake's catalog"
                            + " does not answer now ({}: {}). The job starts all the same and waits",
                    options.connection().bootstrapServers(),
                    e.code(),
                    e.getMessage());
        }
    }

    private static Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
                Duration.ofSeconds(1));
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
                Duration.ofSeconds(30));
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS,
                Integer.MAX_VALUE);
        return configuration;
    }
}
