package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.Await;
import io.flinkfluss.e2e.cluster.Lakehouse;
import io.flinkfluss.e2e.cluster.StorageProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kill -9 of the tiering job at ten random moments: the lake ends with every row exactly once, and
 * the union is right at every moment in between. Slow because each start of the job is a real Flink
 * process.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class TieringSurvivesKillsITCase {
    private static final long SEED = Long.getLong("seed", 20_011_129L);
    private static final int KILLS = 10;
    private static final int ROWS_EACH = 5_000;

    @TempDir Path folder;

    @Test
    void theLakeHoldsEveryRowOnceAndTheUnionIsAlwaysRight() throws Exception {
        Random random = new Random(SEED);
        try (Lakehouse lakehouse = new Lakehouse(folder)) {
            String options =
                    "WITH ('bucket.num'='2', 'table.datalake.enabled'='true', 'table.datalake.freshness'='1 s')";
            lakehouse.run("CREATE TABLE events (id BIGINT, v STRING) " + options);
            lakehouse.run(
                    "CREATE TABLE latest (k BIGINT, id BIGINT, PRIMARY KEY (k) NOT ENFORCED) "
                            + options);
            long rows = 0;
            for (int kill = 0; kill < KILLS; kill++) {
                Process tiering = lakehouse.startTiering();
                try {
                    insert(lakehouse, "events", "id, CAST(id AS STRING)", rows);
                    insert(lakehouse, "latest", "MOD(id, 7000), id", rows);
                    rows += ROWS_EACH;
                    assertUnion(lakehouse, rows, kill);
                    Await.pause(Duration.ofMillis(1_000 + random.nextInt(5_000)));
                } finally {
                    tiering.destroyForcibly();
                    assertThat(StorageProcess.await(tiering, Duration.ofSeconds(10))).isTrue();
                }
                assertUnion(lakehouse, rows, kill);
            }
            Process tiering = lakehouse.startTiering();
            try {
                Await.until(
                        "rows in the lake",
                        Duration.ofMinutes(2),
                        rows,
                        () -> lakehouse.number("SELECT COUNT(*) FROM events$lake"));
                Await.until(
                        "keys in the lake",
                        Duration.ofMinutes(2),
                        Math.min(rows, 7_000L),
                        () -> lakehouse.number("SELECT COUNT(*) FROM latest$lake"));
                Await.until(
                        "newest rows in the lake",
                        Duration.ofMinutes(2),
                        rows,
                        () -> lakehouse.number("SELECT MAX(id) FROM latest$lake"));
            } finally {
                tiering.destroyForcibly();
                assertThat(StorageProcess.await(tiering, Duration.ofSeconds(10))).isTrue();
            }
            assertThat(lakehouse.number("SELECT COUNT(DISTINCT id) FROM events$lake"))
                    .isEqualTo(rows);
            assertThat(lakehouse.number("SELECT COUNT(DISTINCT k) FROM latest$lake"))
                    .isEqualTo(Math.min(rows, 7_000L));
            assertUnion(lakehouse, rows, KILLS);
        }
    }

    private static void assertUnion(Lakehouse lakehouse, long rows, int kill) {
        assertThat(
                        lakehouse
                                .query("SELECT COUNT(*), COUNT(DISTINCT id), MAX(id) FROM events")
                                .get(0))
                .as("union of events around kill %s, seed %s", kill, SEED)
                .hasToString("+I[" + rows + ", " + rows + ", " + rows + "]");
        long keys = Math.min(rows, 7_000L);
        assertThat(
                        lakehouse
                                .query("SELECT COUNT(*), COUNT(DISTINCT k), MAX(id) FROM latest")
                                .get(0))
                .as("union of latest around kill %s, seed %s", kill, SEED)
                .hasToString("+I[" + keys + ", " + keys + ", " + rows + "]");
    }

    /** The next rows: ids after {@code after}. */
    private static void insert(Lakehouse lakehouse, String table, String columns, long after) {
        lakehouse.run(
                "CREATE TEMPORARY TABLE numbers (id BIGINT) WITH ('connector'='datagen', 'rows-per-second'='1000000', 'number-of-rows'='"
                        + ROWS_EACH
                        + "', "
                        + "'fields.id.kind'='sequence', 'fields.id.start'='"
                        + (after + 1)
                        + "', 'fields.id.end'='"
                        + (after + ROWS_EACH)
                        + "')");
        lakehouse.run("INSERT INTO " + table + " SELECT " + columns + " FROM numbers");
        lakehouse.run("DROP TEMPORARY TABLE numbers");
    }
}
