package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.Await;
import io.flinkfluss.e2e.cluster.Lakehouse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kill -9 of the storage process while jobs load it: they go on by themselves and no row is lost or
 * there twice.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LoadSurvivesKillITCase {
    private static final int ROWS = 400_000;
    private static final int KEYS = 100_000;

    @TempDir Path folder;

    @Test
    void aLogTableHoldsEveryRowOnce() throws Exception {
        try (Lakehouse lakehouse = new Lakehouse(folder)) {
            lakehouse.run(
                    "CREATE TABLE events (id BIGINT, payload STRING) WITH ('bucket.num'='4')");
            JobClient job =
                    lakehouse.submit(
                            "INSERT INTO events SELECT id, CAST(id AS STRING) FROM "
                                    + numbers(lakehouse, ROWS));

            killTwiceWhileLoading(lakehouse, "events", ROWS);

            job.getJobExecutionResult().get(120, TimeUnit.SECONDS);
            assertThat(
                            lakehouse
                                    .query(
                                            "SELECT COUNT(*), COUNT(DISTINCT id), MIN(id), MAX(id) FROM events")
                                    .get(0))
                    .hasToString("+I[" + ROWS + ", " + ROWS + ", 1, " + ROWS + "]");
        }
    }

    @Test
    void aPrimaryKeyTableHoldsTheLastRowOfEveryKeyOnce() throws Exception {
        try (Lakehouse lakehouse = new Lakehouse(folder)) {
            lakehouse.run(
                    "CREATE TABLE latest (k BIGINT, id BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num'='4')");
            JobClient job =
                    lakehouse.submit(
                            "INSERT INTO latest SELECT MOD(id, "
                                    + KEYS
                                    + "), id FROM "
                                    + numbers(lakehouse, ROWS));

            killTwiceWhileLoading(lakehouse, "latest", KEYS);

            job.getJobExecutionResult().get(120, TimeUnit.SECONDS);
            assertThat(
                            lakehouse
                                    .query(
                                            "SELECT COUNT(*), COUNT(DISTINCT k), SUM(id) FROM latest")
                                    .get(0))
                    .hasToString("+I[" + KEYS + ", " + KEYS + ", " + sumOfLast() + "]");
        }
    }

    /** Each of the last KEYS numbers is the last of its key. */
    private static long sumOfLast() {
        long first = ROWS - KEYS + 1L;
        return (first + ROWS) * KEYS / 2;
    }

    private static void killTwiceWhileLoading(Lakehouse lakehouse, String table, long whole) {
        for (int kill = 0; kill < 2; kill++) {
            Await.pause(Duration.ofMillis(1_500));
            lakehouse.storage().kill();
            Await.pause(Duration.ofMillis(500));
            lakehouse.storage().start();
        }
        assertThat(lakehouse.number("SELECT COUNT(*) FROM " + table)).isLessThanOrEqualTo(whole);
    }

    /** A bounded stream of 1..count that takes some seconds. */
    private static String numbers(Lakehouse lakehouse, int count) {
        lakehouse
                .streaming()
                .executeSql(
                        "CREATE TEMPORARY TABLE numbers (id BIGINT) WITH ('connector'='datagen', 'rows-per-second'='60000', "
                                + "'fields.id.kind'='sequence', 'fields.id.start'='1', 'fields.id.end'='"
                                + count
                                + "')");
        return "numbers";
    }
}
