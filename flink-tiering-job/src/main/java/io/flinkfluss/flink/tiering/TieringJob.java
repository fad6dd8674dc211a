package io.flinkfluss.flink.tiering;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.lake.LakeFormats;
import java.time.Duration;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Submits the tiering job. Refuses to start when the storage service does not answer, no lake is
 * set or the lake cannot be opened; afterwards it restarts for ever.
 */
public final class TieringJob {
    private TieringJob() {}

    public static void main(String[] arguments) throws Exception {
        TieringOptions options = withCheckedLake(TieringOptions.parse(arguments));
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
     * The lake settings of the service where none were given; opened once to see that they work.
     */
    private static TieringOptions withCheckedLake(TieringOptions options) {
        try (Connection connection = Connections.acquire(options.connection())) {
            TieringOptions complete =
                    options.withLakeSettings(
                            options.lakeSettings(connection.service().admin().lakeSettings()));
            LakeFormats.open(complete.lakeSettings()).close();
            return complete;
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
