package io.flinkfluss.flink.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.util.List;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** SQL on a service in memory; rows are written past Flink. */
class FlussTableSourceTest {
    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    private final InMemoryStorageService service = new InMemoryStorageService();
    private final CatalogSession session = new CatalogSession(service);

    @BeforeEach
    void fill() throws Exception {
        session.run("CREATE TABLE log (a INT, b STRING, c AS a * 10) WITH ('bucket.num'='2')");
        append(0, GenericRow.of(1, "one"), GenericRow.of(2, "two"));
        append(1, GenericRow.of(3, "three"));
        session.run("CREATE TABLE pk (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED)");
        upsert(GenericRow.of(1, "one"));
        upsert(GenericRow.of(2, "two"));
        upsert(GenericRow.of(1, "uno"));
        delete(GenericRow.of(2, null));
    }

    @AfterEach
    void close() {
        session.close();
        service.close();
    }

    @Test
    void batchReadsOfALogTable() throws Exception {
        assertThat(session.query("SELECT * FROM log"))
                .containsExactlyInAnyOrder("+I[1, one, 10]", "+I[2, two, 20]", "+I[3, three, 30]");
        assertThat(session.query("SELECT b FROM log WHERE a > 2")).containsExactly("+I[three]");
        assertThat(session.query("SELECT COUNT(*) FROM log")).containsExactly("+I[3]");
        assertThat(session.query("SELECT a FROM log LIMIT 2")).hasSize(2);
        assertThat(session.query("SELECT a FROM log$changelog WHERE _log_offset = 0"))
                .containsExactlyInAnyOrder("+I[1]", "+I[3]");
        assertThat(session.query("SELECT a FROM log /*+ OPTIONS('scan.startup.mode'='latest') */"))
                .isEmpty();
    }

    @Test
    void batchReadsOfAKeyedTable() throws Exception {
        assertThat(session.query("SELECT * FROM pk")).containsExactly("+I[1, uno]");
        assertThat(session.query("SELECT COUNT(*) FROM pk")).containsExactly("+I[1]");
        assertThat(session.query("SELECT _change_type, id, name, _log_offset FROM pk$changelog"))
                .containsExactly(
                        "+I[insert, 1, one, 0]",
                        "+I[insert, 2, two, 1]",
                        "+I[update_before, 1, one, 2]",
                        "+I[update_after, 1, uno, 3]",
                        "+I[delete, 2, two, 4]");
        assertThat(session.query("SELECT _change_type, `before`.name, `after`.name FROM pk$binlog"))
                .containsExactly(
                        "+I[insert, null, one]",
                        "+I[insert, null, two]",
                        "+I[update, one, uno]",
                        "+I[delete, two, null]");
        assertThatThrownBy(
                        () ->
                                session.query(
                                        "SELECT * FROM pk /*+"
                                                + " OPTIONS('scan.startup.mode'='earliest') */"))
                .hasStackTraceContaining("$changelog");
    }

    @Test
    void streamingReads() throws Exception {
        assertThat(session.stream(3, "SELECT a, c FROM log"))
                .containsExactlyInAnyOrder("+I[1, 10]", "+I[2, 20]", "+I[3, 30]");
        assertThat(
                        session.stream(
                                5,
                                "SELECT name FROM pk /*+"
                                        + " OPTIONS('scan.startup.mode'='earliest') */"))
                .containsExactly("+I[one]", "+I[two]", "-U[one]", "+U[uno]", "-D[two]");
    }

    @Test
    void lookupJoins() throws Exception {
        session.run("CREATE TABLE probe (k INT, t AS PROCTIME())");
        appendTo("probe", GenericRow.of(1), GenericRow.of(2));

        assertThat(
                        session.stream(
                                2,
                                "SELECT k, name FROM probe LEFT JOIN pk FOR SYSTEM_TIME AS OF"
                                        + " probe.t ON probe.k = pk.id"))
                .containsExactlyInAnyOrder("+I[1, uno]", "+I[2, null]");
        assertThatThrownBy(
                        () ->
                                session.stream(
                                        1,
                                        "SELECT k FROM probe JOIN pk$changelog FOR SYSTEM_TIME AS"
                                                + " OF probe.t ON probe.k = pk$changelog.id"))
                .hasStackTraceContaining("cannot be looked up");
    }

    @Test
    void filtersOfALogTableReachTheServiceAndAreDoneForEachRow() throws Exception {
        String query =
                "SELECT b FROM log WHERE a >= 2 AND b IN ('two', 'none') AND CHAR_LENGTH(b) < 9";
        assertThat(session.explain(query))
                .containsPattern("filter=\\[and\\(>=\\(a, 2\\), (?i:or)\\(=\\(b, .*'none'")
                .doesNotContainPattern("filter=\\[.*CHAR_LENGTH")
                .containsPattern("Calc.*CHAR_LENGTH");
        assertThat(session.query(query)).containsExactly("+I[two]");
        assertThat(session.query("SELECT b FROM log WHERE a > 100")).isEmpty();
        assertThat(session.stream(1, "SELECT b FROM log WHERE a = 3")).containsExactly("+I[three]");
    }

    @Test
    void filtersOfOtherTablesAreLeftToTheQuery() throws Exception {
        for (String query :
                List.of(
                        "SELECT name FROM pk WHERE id = 1",
                        "SELECT b FROM log$changelog WHERE a = 3")) {
            assertThat(session.explain(query)).doesNotContainPattern("filter=\\[[^]]");
            assertThat(session.query(query)).hasSize(1);
        }
    }

    @Test
    void aTemporaryTableIsATableOfTheServiceByItsName() throws Exception {
        String with = "WITH ('connector'='fluss', 'bootstrap.servers'='" + session.servers() + "')";
        session.run("CREATE TEMPORARY TABLE log (a INT, b STRING) " + with);
        assertThat(session.query("SELECT a, b FROM log")).hasSize(3);

        session.run("CREATE TEMPORARY TABLE pk (id BIGINT, name STRING) " + with);
        assertThatThrownBy(() -> session.query("SELECT * FROM pk"))
                .hasStackTraceContaining("Declare the same columns");
    }

    private TableInfo table(String name) {
        return service.admin().table(new TablePath("fluss", name));
    }

    private void append(int bucket, GenericRow... rows) {
        TableInfo table = table("log");
        service.logAppender()
                .append(
                        BucketId.of(table.id(), bucket),
                        WriterStamp.NONE,
                        TestBatches.arrow(table.schema(), rows))
                .join();
    }

    private void appendTo(String name, GenericRow... rows) {
        TableInfo table = table(name);
        service.logAppender()
                .append(
                        table.buckets().get(0),
                        WriterStamp.NONE,
                        TestBatches.arrow(table.schema(), rows))
                .join();
    }

    private void upsert(GenericRow row) {
        TableInfo table = table("pk");
        service.kvWriter()
                .put(
                        table.buckets().get(0),
                        WriterStamp.NONE,
                        TestBatches.upserts(table.schema(), row))
                .join();
    }

    private void delete(GenericRow row) {
        TableInfo table = table("pk");
        service.kvWriter()
                .put(
                        table.buckets().get(0),
                        WriterStamp.NONE,
                        TestBatches.deletes(table.schema(), row))
                .join();
    }
}
