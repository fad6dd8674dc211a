package io.flinkfluss.e2e.cluster;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * {@code flink run --detached} on the caller's thread: what a program submits goes to a running
 * Flink, with settings that the program does not know of.
 */
final class FlinkRun {
    /** A user's {@code main}. */
    interface Program {
        void run() throws Exception;
    }

    private final Configuration settings;

    private FlinkRun(Configuration settings) {
        this.settings = settings;
    }

    static FlinkRun detached(URI flink, Map<String, String> settings) {
        Configuration configuration = Configuration.fromMap(settings);
        configuration.set(DeploymentOptions.TARGET, "remote");
        configuration.set(DeploymentOptions.ATTACHED, false);
        configuration.set(RestOptions.ADDRESS, flink.getHost());
        configuration.set(RestOptions.PORT, flink.getPort());
        return new FlinkRun(configuration);
    }

    /** Runs the program, which submits one job. Afterwards no environment is the context. */
    JobClient program(Program program) throws Exception {
        List<JobClient> submitted = new ArrayList<>();
        Environment.use(settings, submitted);
        try {
            program.run();
        } finally {
            Environment.useNone();
        }
        if (submitted.size() != 1) {
            throw new IllegalStateException(
                    "the program was to submit one job and submitted " + submitted.size());
        }
        return submitted.get(0);
    }

    private static final class Environment extends StreamExecutionEnvironment {
        private final List<JobClient> submitted;

        private Environment(Configuration configuration, List<JobClient> submitted) {
            super(configuration);
            this.submitted = submitted;
        }

        static void use(Configuration settings, List<JobClient> submitted) {
            initializeContextEnvironment(
                    ofProgram -> {
                        Configuration both = new Configuration(settings);
                        both.addAll(ofProgram);
                        return new Environment(both, submitted);
                    });
        }

        static void useNone() {
            resetContextEnvironment();
        }

        @Override
        public JobClient executeAsync(StreamGraph graph) throws Exception {
            JobClient job = super.executeAsync(graph);
            submitted.add(job);
            return job;
        }
    }
}
