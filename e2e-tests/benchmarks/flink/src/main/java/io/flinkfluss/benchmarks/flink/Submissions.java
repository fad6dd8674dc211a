package io.flinkfluss.benchmarks.flink;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** Jobs that programs submit which ask Flink for the environment they run in, as tiering does. */
final class Submissions {
    private static final int PARALLELISM = 2;
    private static final long PATIENCE_SECONDS = 60;

    private JobClient newest;

    private Submissions() {}

    /** From now on such programs of this process submit to a cluster inside of it, seen here. */
    static Submissions watch() {
        Submissions submissions = new Submissions();
        Environment.install(submissions);
        return submissions;
    }

    private synchronized void submitted(JobClient job) {
        newest = job;
    }

    /** Cancels the newest job and waits for its end. */
    void cancel() throws Exception {
        JobClient job;
        synchronized (this) {
            job = newest;
        }
        // Asked for before: the cluster ends with its job.
        CompletableFuture<?> end = job.getJobExecutionResult();
        job.cancel().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        try {
            end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException cancelled) {
            // As asked for.
        }
    }

    private static final class Environment extends StreamExecutionEnvironment {
        private final Submissions submissions;

        private Environment(Configuration configuration, Submissions submissions) {
            super(local(configuration));
            this.submissions = submissions;
            setParallelism(PARALLELISM);
        }

        /** Flink's own local environment must not be used for a context. */
        private static Configuration local(Configuration given) {
            Configuration configuration = new Configuration(given);
            configuration.set(DeploymentOptions.TARGET, "local");
            configuration.set(DeploymentOptions.ATTACHED, true);
            return configuration;
        }

        static void install(Submissions submissions) {
            initializeContextEnvironment(
                    configuration -> new Environment(configuration, submissions));
        }

        @Override
        public JobClient executeAsync(StreamGraph graph) throws Exception {
            JobClient job = super.executeAsync(graph);
            submissions.submitted(job);
            return job;
        }
    }
}
