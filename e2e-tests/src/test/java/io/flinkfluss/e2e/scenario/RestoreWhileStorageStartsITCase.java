package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.Await;
import io.flinkfluss.e2e.cluster.Lakehouse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * O-25: jobs that begin while the storage service is down wait for it; they do not miss a table.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class RestoreWhileStorageStartsITCase {
    private static final String COPY = "INSERT INTO copied SELECT * FROM events";
    private static final int ROWS = 1_000;

    @TempDir Path folder;

    @Test
    void aStreamingReadGoesOnWhenTheServiceIsThereAgain() throws Exception {
        try (Lakehouse lakehouse = new Lakehouse(folder)) {
            lakehouse.run("CREATE TABLE events (id BIGINT) WITH ('bucket.num'='2')");
            lakehouse.run("CREATE TABLE copied (id BIGINT) WITH ('bucket.num'='2')");
            insert(lakehouse, 1);
            String savepoint = copyAndStop(lakehouse);

            lakehouse.storage().kill();
            lakehouse.streaming().getConfig().set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
            CompletableFuture<Void> started =
                    CompletableFuture.runAsync(() -> lakehouse.storage().start());
            lakehouse.submit(COPY);
            started.get(60, TimeUnit.SECONDS);
            insert(lakehouse, ROWS + 1);

            awaitRows(lakehouse, 2 * ROWS);
            assertThat(lakehouse.number("SELECT COUNT(DISTINCT id) FROM copied"))
                    .isEqualTo(2 * ROWS);
        }
    }

    private String copyAndStop(Lakehouse lakehouse) throws Exception {
        JobClient job = lakehouse.submit(COPY);
        awaitRows(lakehouse, ROWS);
        return job.stopWithSavepoint(
                        false,
                        folder.resolve("savepoints").toUri().toString(),
                        SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS);
    }

    private static void insert(Lakehouse lakehouse, int first) {
        lakehouse.run(
                "CREATE TEMPORARY TABLE numbers (id BIGINT) WITH ('connector'='datagen', "
                        + "'number-of-rows'='"
                        + ROWS
                        + "', 'fields.id.kind'='sequence', 'fields.id.start'='"
                        + first
                        + "', 'fields.id.end'='"
                        + (first + ROWS - 1)
                        + "')");
        lakehouse.run("INSERT INTO events SELECT id FROM numbers");
        lakehouse.run("DROP TEMPORARY TABLE numbers");
    }

    private static void awaitRows(Lakehouse lakehouse, long rows) {
        Await.until(
                "rows in the copy",
                Duration.ofMinutes(2),
                rows,
                () -> lakehouse.number("SELECT COUNT(*) FROM copied"));
    }
}
