package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.Lakehouse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What users type, against a real storage process; ids are those of the anchor's feature list. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class SqlSurfaceITCase {
    @TempDir static Path folder;
    private static Lakehouse lakehouse;

    @BeforeAll
    static void start() {
        lakehouse = new Lakehouse(folder);
    }

    @AfterAll
    static void stop() {
        lakehouse.close();
    }

    /** 1.01, 1.03, 1.05, 1.07, 1.17, 1.20. */
    @Test
    void databasesAndTablesComeAndGo() {
        lakehouse.run("CREATE DATABASE shop COMMENT 'what we sell'");
        lakehouse.run(
                "CREATE TABLE shop.orders (id BIGINT COMMENT 'the number', total DECIMAL(10, 2), cost AS total * 2) COMMENT 'all orders'");
        assertThat(lakehouse.query("SHOW TABLES IN shop")).hasToString("[+I[orders]]");
        assertThat(lakehouse.query("DESCRIBE shop.orders").toString())
                .contains("the number", "total", "cost");
        lakehouse.run("INSERT INTO shop.orders VALUES (1, 2.50)");
        assertThat(lakehouse.query("SELECT id, cost FROM shop.orders"))
                .hasToString("[+I[1, 5.00]]");
        lakehouse.run("DROP TABLE shop.orders");
        lakehouse.run("CREATE TABLE shop.orders (id BIGINT)");
        assertThat(lakehouse.number("SELECT COUNT(*) FROM shop.orders")).isZero();
        lakehouse.run("DROP DATABASE shop CASCADE");
        assertThat(lakehouse.query("SHOW DATABASES")).hasToString("[+I[fluss]]");
    }

    /** 3.01, 3.12, O-12: an empty bucket, and a filter that leaves nothing. */
    @Test
    void aLogTableIsReadToItsEnd() {
        lakehouse.run("CREATE TABLE two (id INT, n STRING) WITH ('bucket.num'='2')");
        assertThat(lakehouse.query("SELECT * FROM two")).isEmpty();
        lakehouse.run("INSERT INTO two VALUES (1, 'alpha')");
        assertThat(lakehouse.query("SELECT n, id FROM two")).hasToString("[+I[alpha, 1]]");
        assertThat(lakehouse.query("SELECT * FROM two WHERE id > 100")).isEmpty();
        assertThat(lakehouse.number("SELECT COUNT(*) FROM two")).isEqualTo(1);
    }

    /** 3.15, 4.42: LIMIT has no cap. */
    @Test
    void limitGivesAsManyRowsAsAsked() {
        lakehouse.run("CREATE TABLE many (id INT) WITH ('bucket.num'='3')");
        lakehouse.run("INSERT INTO many VALUES (1), (2), (3), (4), (5)");
        assertThat(lakehouse.query("SELECT * FROM many LIMIT 3")).hasSize(3);
        assertThat(lakehouse.query("SELECT * FROM many LIMIT 3000")).hasSize(5);
    }

    /** 5.01 to 5.04, 5.09, 5.10. */
    @Test
    void changelogAndBinlogShowEveryChange() {
        lakehouse.run(
                "CREATE TABLE c (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num'='1')");
        lakehouse.run("INSERT INTO c VALUES (1, 'a')");
        lakehouse.run("INSERT INTO c VALUES (1, 'b')");
        lakehouse.run("INSERT INTO c VALUES (2, 'x')");
        assertThat(
                        lakehouse
                                .query("SELECT _change_type, _log_offset, id, v FROM c$changelog")
                                .toString())
                .isEqualTo(
                        "[+I[insert, 0, 1, a], +I[update_before, 1, 1, a], +I[update_after, 2, 1, b], +I[insert, 3, 2, x]]");
        assertThat(
                        lakehouse
                                .query(
                                        "SELECT _change_type, _log_offset, `before`, `after` FROM c$binlog")
                                .toString())
                .isEqualTo(
                        "[+I[insert, 0, null, +I[1, a]], +I[update, 1, +I[1, a], +I[1, b]], +I[insert, 3, null, +I[2, x]]]");
        assertThat(
                        lakehouse.query(
                                "SELECT id FROM c$changelog WHERE _change_type = 'update_after'"))
                .hasToString("[+I[1]]");
        assertThat(lakehouse.query("DESCRIBE c$changelog").toString())
                .contains(
                        "_change_type, STRING, false",
                        "_log_offset, BIGINT, false",
                        "_commit_timestamp, TIMESTAMP_LTZ(3), false");
    }

    /** 4.01, 107: a changelog with retractions keeps a primary-key table current. */
    @Test
    void deletesOfAChangelogReachThePrimaryKeyTable() throws Exception {
        lakehouse.run("CREATE TABLE words (w STRING, PRIMARY KEY (w) NOT ENFORCED)");
        lakehouse.run("CREATE TABLE counts (len INT, n BIGINT, PRIMARY KEY (len) NOT ENFORCED)");
        lakehouse.run("INSERT INTO words VALUES ('a'), ('bb'), ('cc')");
        JobClient job =
                lakehouse.submit(
                        "INSERT INTO counts SELECT CHAR_LENGTH(w) AS len, COUNT(*) FROM words GROUP BY CHAR_LENGTH(w)");
        io.flinkfluss.e2e.cluster.Await.until(
                "counts",
                java.time.Duration.ofSeconds(60),
                "[+I[1, 1], +I[2, 2]]",
                () -> lakehouse.query("SELECT * FROM counts ORDER BY len").toString());
        job.cancel().get(30, TimeUnit.SECONDS);
    }

    /** 4.27: lookup join on the whole key and 4.29 on a prefix, INNER and LEFT. */
    @Test
    void lookupJoinsFindCurrentRows() throws Exception {
        lakehouse.run(
                "CREATE TABLE airport (iata STRING, city STRING, PRIMARY KEY (iata) NOT ENFORCED) WITH ('bucket.num'='4')");
        lakehouse.run("INSERT INTO airport VALUES ('SFO', 'San Francisco'), ('JFK', 'New York')");
        lakehouse.run("CREATE TABLE trip (id INT, origin STRING)");
        lakehouse.run("INSERT INTO trip VALUES (1, 'SFO'), (2, 'XXX'), (3, 'JFK')");
        String join = "JOIN airport FOR SYSTEM_TIME AS OF t.p AS a ON t.origin = a.iata";
        String probe = "FROM (SELECT id, origin, PROCTIME() AS p FROM trip) AS t ";
        assertThat(lakehouse.first(2, "SELECT t.id, a.city " + probe + join))
                .extracting(Row::toString)
                .containsExactlyInAnyOrder("+I[1, San Francisco]", "+I[3, New York]");
        assertThat(lakehouse.first(3, "SELECT t.id, a.city " + probe + "LEFT " + join))
                .extracting(Row::toString)
                .containsExactlyInAnyOrder(
                        "+I[1, San Francisco]", "+I[2, null]", "+I[3, New York]");
        lakehouse.run(
                "CREATE TABLE gate (iata STRING, gate INT, is_open BOOLEAN, PRIMARY KEY (iata, gate) NOT ENFORCED) WITH ('bucket.key'='iata', 'bucket.num'='2')");
        lakehouse.run(
                "INSERT INTO gate VALUES ('SFO', 1, TRUE), ('SFO', 2, FALSE), ('JFK', 1, TRUE)");
        assertThat(
                        lakehouse.first(
                                3,
                                "SELECT t.id, g.gate "
                                        + probe
                                        + "JOIN gate FOR SYSTEM_TIME AS OF t.p AS g ON t.origin = g.iata"))
                .extracting(Row::toString)
                .containsExactlyInAnyOrder("+I[1, 1]", "+I[1, 2]", "+I[3, 1]");
    }

    /**
     * 3.10: startup modes of a streaming read, and O-71: a start time later than the newest row
     * waits.
     */
    @Test
    void streamingReadsStartWhereAsked() throws Exception {
        lakehouse.run("CREATE TABLE feed (id INT)");
        lakehouse.run("INSERT INTO feed VALUES (1), (2)");
        assertThat(lakehouse.first(2, "SELECT * FROM feed"))
                .extracting(Row::toString)
                .containsExactlyInAnyOrder("+I[1]", "+I[2]");
        assertThat(
                        lakehouse.first(
                                2,
                                "SELECT * FROM feed /*+ OPTIONS('scan.startup.mode'='earliest') */"))
                .extracting(Row::toString)
                .containsExactlyInAnyOrder("+I[1]", "+I[2]");
        assertThat(
                        lakehouse.first(
                                2,
                                "SELECT * FROM feed /*+ OPTIONS('scan.startup.mode'='timestamp', 'scan.startup.timestamp'='0') */"))
                .extracting(Row::toString)
                .containsExactlyInAnyOrder("+I[1]", "+I[2]");
    }

    /** O-37, O-31: two rows of a key in one statement; key columns last. */
    @Test
    void theLastRowOfAKeyWins() {
        lakehouse.run(
                "CREATE TABLE lastpk (x INT, y STRING, k1 INT, k2 STRING, PRIMARY KEY (k1, k2) NOT ENFORCED)");
        lakehouse.run(
                "INSERT INTO lastpk VALUES (1, 'a', 10, 'x'), (2, 'b', 20, 'y'), (9, 'a9', 10, 'x')");
        assertThat(lakehouse.query("SELECT * FROM lastpk ORDER BY k1"))
                .extracting(Row::toString)
                .isEqualTo(List.of("+I[9, a9, 10, x]", "+I[2, b, 20, y]"));
    }
}
