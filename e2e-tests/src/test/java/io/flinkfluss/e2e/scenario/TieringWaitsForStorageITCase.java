package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.Await;
import io.flinkfluss.e2e.cluster.Lakehouse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * O-25: a tiering job that begins, is restored or fails over while the storage service is down
 * waits for it, and goes on with every row once.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class TieringWaitsForStorageITCase {
    private static final Map<String, String> CHECKPOINTS =
            Map.of("execution.checkpointing.interval", "1 s");
    private static final int ROWS = 1_000;

    @TempDir Path folder;

    @Test
    void aJobThatBeginsWhileTheServiceIsDownCopiesTheRows() throws Exception {
        try (Lakehouse lakehouse = new Lakehouse(folder)) {
            createTable(lakehouse);
            insert(lakehouse, 1);
            lakehouse.storage().kill();

            JobClient job = lakehouse.submitTiering(CHECKPOINTS);
            awaitRunning(job);
            lakehouse.storage().start();

            assertInLake(lakehouse, ROWS);
        }
    }

    @Test
    void aJobThatIsRestoredWhileTheServiceIsDownGoesOn() throws Exception {
        try (Lakehouse lakehouse = new Lakehouse(folder)) {
            createTable(lakehouse);
            insert(lakehouse, 1);
            JobClient first = lakehouse.submitTiering(CHECKPOINTS);
            assertInLake(lakehouse, ROWS);
            String savepoint = stop(first);
            insert(lakehouse, ROWS + 1);
            lakehouse.storage().kill();

            JobClient restored =
                    lakehouse.submitTiering(Map.of("execution.state-recovery.path", savepoint));
            awaitRunning(restored);
            lakehouse.storage().start();

            assertInLake(lakehouse, 2 * ROWS);
        }
    }

    @Test
    void aJobThatFailsOverWhileTheServiceIsDownGoesOn() throws Exception {
        try (Lakehouse lakehouse = new Lakehouse(folder)) {
            createTable(lakehouse);
            insert(lakehouse, 1);
            JobClient job = lakehouse.submitTiering(CHECKPOINTS);
            assertInLake(lakehouse, ROWS);
            insert(lakehouse, ROWS + 1);
            lakehouse.storage().kill();

            lakehouse.replaceTaskManager();
            awaitRunning(job);
            lakehouse.storage().start();
            insert(lakehouse, 2 * ROWS + 1);

            assertInLake(lakehouse, 3 * ROWS);
        }
    }

    private static void createTable(Lakehouse lakehouse) {
        lakehouse.run(
                "CREATE TABLE events (id BIGINT) WITH ('bucket.num'='2',"
                        + " 'table.datalake.enabled'='true', 'table.datalake.freshness'='1 s')");
    }

    private static void insert(Lakehouse lakehouse, int first) {
        lakehouse.run(
                "CREATE TEMPORARY TABLE numbers (id BIGINT) WITH ('connector'='datagen', "
                        + "'rows-per-second'='1000000', 'number-of-rows'='"
                        + ROWS
                        + "', 'fields.id.kind'='sequence', 'fields.id.start'='"
                        + first
                        + "', 'fields.id.end'='"
                        + (first + ROWS - 1)
                        + "')");
        lakehouse.run("INSERT INTO events SELECT id FROM numbers");
        lakehouse.run("DROP TEMPORARY TABLE numbers");
    }

    private String stop(JobClient job) throws Exception {
        return job.stopWithSavepoint(
                        false,
                        folder.resolve("savepoints").toUri().toString(),
                        SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS);
    }

    private static void awaitRunning(JobClient job) {
        Await.until(
                "state of the tiering job",
                Duration.ofMinutes(1),
                JobStatus.RUNNING,
                () -> job.getJobStatus().orTimeout(30, TimeUnit.SECONDS).join());
    }

    private static void assertInLake(Lakehouse lakehouse, long rows) {
        Await.until(
                "rows in the lake",
                Duration.ofMinutes(2),
                rows,
                () -> lakehouse.number("SELECT COUNT(*) FROM events$lake"));
        assertThat(lakehouse.number("SELECT COUNT(DISTINCT id) FROM events$lake")).isEqualTo(rows);
    }
}
