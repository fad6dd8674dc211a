package io.flinkfluss.cli.quickstart;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.Deadline;
import io.flinkfluss.cli.runtime.OwnThread;
import io.flinkfluss.storage.api.error.ErrorKind;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;

/** Waits for what the story's jobs bring about, and gives up at once when one of them failed. */
final class JobWatch {
    private final List<JobClient> jobs = new ArrayList<>();

    void add(JobClient job) {
        jobs.add(job);
    }

    void await(String what, Duration patience, Deadline.Condition condition) {
        Deadline.in(patience)
                .await(
                        what,
                        () -> {
                            jobs.forEach(JobWatch::requireAlive);
                            return holdsNow(condition);
                        });
    }

    /**
     * A storage service that restarts at the moment is no reason to give up before the deadline.
     */
    private static boolean holdsNow(Deadline.Condition condition) {
        try {
            return condition.holds();
        } catch (StorageException e) {
            if (e.isRetryable() || e.kind() == ErrorKind.OUTCOME_UNKNOWN) {
                return false;
            }
            throw new CliException(e.getMessage(), e);
        }
    }

    private static void requireAlive(JobClient job) {
        try {
            JobStatus status = job.getJobStatus().get(30, TimeUnit.SECONDS);
            if (status.isTerminalState()) {
                job.getJobExecutionResult().get(30, TimeUnit.SECONDS);
                throw new CliException("job " + job.getJobID() + " ended as " + status);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new CliException(
                    "job " + job.getJobID() + " failed: " + OwnThread.messages(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException("interrupted while waiting", e);
        }
    }
}
