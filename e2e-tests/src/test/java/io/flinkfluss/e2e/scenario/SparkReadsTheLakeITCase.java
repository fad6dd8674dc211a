package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.Await;
import io.flinkfluss.e2e.cluster.Lakehouse;
import io.flinkfluss.e2e.cluster.StorageProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An engine that shares no code with this product reads the same rows from the lake. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class SparkReadsTheLakeITCase {
    @TempDir Path folder;

    @Test
    void sparkSeesTheRowsOfLogAndPrimaryKeyTables() throws Exception {
        try (Lakehouse lakehouse = new Lakehouse(folder)) {
            String options =
                    "WITH ('bucket.num'='3', 'table.datalake.enabled'='true', 'table.datalake.freshness'='1 s')";
            lakehouse.run(
                    "CREATE TABLE readings (id BIGINT NOT NULL, flag BOOLEAN, tiny TINYINT, small SMALLINT, n INT, f FLOAT, d DOUBLE, "
                            + "c CHAR(3), s STRING, raw_bytes BYTES, price DECIMAL(10, 2), big DECIMAL(30, 5), on_day DATE, "
                            + "ts TIMESTAMP(6), ltz TIMESTAMP_LTZ(6)) "
                            + options);
            lakehouse.run(
                    "CREATE TABLE people (id INT, name STRING, age INT, PRIMARY KEY (id) NOT ENFORCED) "
                            + options);
            lakehouse.run(
                    "INSERT INTO readings VALUES "
                            + "(1, TRUE, CAST(-1 AS TINYINT), CAST(300 AS SMALLINT), 5, CAST(1.5 AS FLOAT), 2.5, 'abc', 'Grüße', x'00ff', 12.34, CAST('1234567890123456789.12345' AS DECIMAL(30, 5)), "
                            + "DATE '2001-09-09', TIMESTAMP '2001-09-09 01:46:40.123456', TO_TIMESTAMP_LTZ(1000000000123, 3)), "
                            + "(2, CAST(NULL AS BOOLEAN), CAST(NULL AS TINYINT), CAST(NULL AS SMALLINT), CAST(NULL AS INT), CAST(NULL AS FLOAT), CAST(NULL AS DOUBLE), "
                            + "CAST(NULL AS CHAR(3)), CAST(NULL AS STRING), CAST(NULL AS BYTES), CAST(NULL AS DECIMAL(10, 2)), CAST(NULL AS DECIMAL(30, 5)), "
                            + "CAST(NULL AS DATE), CAST(NULL AS TIMESTAMP(6)), CAST(NULL AS TIMESTAMP_LTZ(6)))");
            // Spark has no TIME; our own reader must give it back (O-38).
            lakehouse.run("CREATE TABLE times (id INT, t TIME(0)) " + options);
            lakehouse.run("INSERT INTO times VALUES (1, TIME '23:59:59')");
            lakehouse.run(
                    "INSERT INTO people VALUES (1, 'Ada', 36), (2, 'Blaise', 39), (3, 'Carl', 77)");
            Process tiering = lakehouse.startTiering();
            try {
                Await.until(
                        "people in the lake",
                        Duration.ofMinutes(1),
                        3L,
                        () -> lakehouse.number("SELECT COUNT(*) FROM people$lake"));
                lakehouse.run("INSERT INTO people VALUES (2, 'Blaise', 40), (4, 'Emmy', 53)");
                Await.until(
                        "four people in the lake",
                        Duration.ofMinutes(1),
                        4L,
                        () -> lakehouse.number("SELECT COUNT(*) FROM people$lake"));
                Await.until(
                        "readings in the lake",
                        Duration.ofMinutes(1),
                        2L,
                        () -> lakehouse.number("SELECT COUNT(*) FROM readings$lake"));
            } finally {
                tiering.destroyForcibly();
            }

            List<List<String>> answers =
                    spark(
                            lakehouse,
                            "SELECT * FROM lake.fluss.people ORDER BY id",
                            "SELECT id, flag, tiny, small, n, f, d, c, s, hex(raw_bytes) AS bytes, price, big, on_day AS day, CAST(ts AS STRING) AS ts, CAST(ltz AS STRING) AS ltz FROM lake.fluss.readings ORDER BY id");

            assertThat(answers.get(0))
                    .containsExactly(
                            "{\"id\":1,\"name\":\"Ada\",\"age\":36}",
                            "{\"id\":2,\"name\":\"Blaise\",\"age\":40}",
                            "{\"id\":3,\"name\":\"Carl\",\"age\":77}",
                            "{\"id\":4,\"name\":\"Emmy\",\"age\":53}");
            assertThat(answers.get(1))
                    .containsExactly(
                            "{\"id\":1,\"flag\":true,\"tiny\":-1,\"small\":300,\"n\":5,\"f\":1.5,\"d\":2.5,\"c\":\"abc\",\"s\":\"Grüße\",\"bytes\":\"00FF\","
                                    + "\"price\":12.34,\"big\":1234567890123456789.12345,\"day\":\"2001-09-09\",\"ts\":\"2001-09-09 01:46:40.123456\","
                                    + "\"ltz\":\"2001-09-09 01:46:40.123\"}",
                            "{\"id\":2}");
            assertThat(
                            lakehouse
                                    .query("SELECT CAST(t AS STRING) FROM times WHERE id = 1")
                                    .get(0)
                                    .getField(0))
                    .isEqualTo("23:59:59");
            assertThat(
                            lakehouse
                                    .query("SELECT CAST(t AS STRING) FROM times$lake WHERE id = 1")
                                    .get(0)
                                    .getField(0))
                    .isEqualTo("23:59:59");
        }
    }

    private static List<List<String>> spark(Lakehouse lakehouse, String... queries)
            throws Exception {
        Path reader = Path.of("spark-reader", "target");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String open :
                List.of(
                        "java.base/java.nio",
                        "java.base/java.lang",
                        "java.base/java.util",
                        "java.base/sun.nio.ch",
                        "java.base/java.net",
                        "java.base/java.lang.invoke",
                        "java.base/java.util.concurrent",
                        "java.base/sun.util.calendar",
                        "java.base/sun.security.action")) {
            command.add("--add-opens=" + open + "=ALL-UNNAMED");
        }
        command.addAll(
                List.of(
                        "-Xmx1g",
                        "-cp",
                        reader.resolve("classes")
                                + ":"
                                + Files.readString(reader.resolve("class-path.txt")).strip(),
                        "io.flinkfluss.e2e.spark.LakeReader",
                        lakehouse.warehouse().toString()));
        List<Path> results = new ArrayList<>();
        for (int i = 0; i < queries.length; i++) {
            Path result = lakehouse.folder().resolve("spark-" + i + ".json");
            results.add(result);
            command.add(result.toString());
            command.add(queries[i]);
        }
        Path log = lakehouse.folder().resolve("spark.log");
        Process spark =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        boolean ended = StorageProcess.await(spark, Duration.ofMinutes(3));
        spark.destroyForcibly();
        assertThat(ended && spark.exitValue() == 0).as(() -> "Spark's log:\n" + read(log)).isTrue();
        List<List<String>> answers = new ArrayList<>();
        for (Path result : results) {
            answers.add(Files.readAllLines(result));
        }
        return answers;
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }
}
