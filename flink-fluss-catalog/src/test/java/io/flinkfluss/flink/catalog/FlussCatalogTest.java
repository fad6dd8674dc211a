package io.flinkfluss.flink.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlussCatalogTest {
    private final InMemoryStorageService service = new InMemoryStorageService();
    private final CatalogSession session = new CatalogSession(service);
    private final TableEnvironment sql = session.batch();

    @AfterEach
    void close() {
        session.close();
        service.close();
    }

    @Test
    void databasesComeAndGo() throws Exception {
        assertThat(session.query("SHOW DATABASES")).containsExactly("+I[fluss]");

        session.run("CREATE DATABASE d COMMENT 'about d' WITH ('owner'='me')");
        session.run("CREATE DATABASE IF NOT EXISTS d");
        assertThat(session.query("SHOW DATABASES")).containsExactly("+I[d]", "+I[fluss]");
        CatalogDatabase database = sql.getCatalog("c").orElseThrow().getDatabase("d");
        assertThat(database.getComment()).isEqualTo("about d");
        assertThat(database.getProperties()).isEqualTo(Map.of("owner", "me"));
        assertThatThrownBy(() -> session.run("CREATE DATABASE d"))
                .hasStackTraceContaining("already exists");

        session.run("CREATE TABLE d.t (a INT)");
        assertThatThrownBy(() -> session.run("DROP DATABASE d RESTRICT"))
                .hasStackTraceContaining("not empty");
        session.run("DROP DATABASE d CASCADE");
        session.run("DROP DATABASE IF EXISTS d");
        assertThat(session.query("SHOW DATABASES")).containsExactly("+I[fluss]");
    }

    @Test
    void aTableKeepsWhatItsCreatorWrote() throws Exception {
        session.run(
                """
                CREATE TABLE orders (
                  id BIGINT COMMENT 'number of the order',
                  price DECIMAL(10, 2),
                  quantity INT,
                  cost AS price * quantity COMMENT 'what it costs',
                  ordered TIMESTAMP(3),
                  seen AS PROCTIME(),
                  WATERMARK FOR ordered AS ordered - INTERVAL '5' SECOND,
                  PRIMARY KEY (id) NOT ENFORCED
                ) COMMENT 'what was ordered'
                WITH ('bucket.num'='3', 'table.log.ttl'='1 d', 'team'='sales')
                """);

        List<String> created = session.query("SHOW CREATE TABLE orders");
        assertThat(created.get(0))
                .contains("`id` BIGINT NOT NULL COMMENT 'number of the order'")
                .contains("`cost` AS `price` * `quantity` COMMENT 'what it costs'")
                .contains("`seen` AS PROCTIME()")
                .contains("WATERMARK FOR `ordered` AS `ordered` - INTERVAL '5' SECOND")
                .contains("PRIMARY KEY (`id`) NOT ENFORCED")
                .contains("COMMENT 'what was ordered'")
                .contains("'bucket.num' = '3'")
                .contains("'bucket.key' = 'id'")
                .contains("'table.log.ttl' = '1 d'")
                .contains("'team' = 'sales'")
                .doesNotContain("flink.");
        assertThat(session.query("DESCRIBE orders")).hasSize(6).first().asString().contains("id");
        TableInfo table = service.admin().table(new TablePath("fluss", "orders"));
        assertThat(table.schema().columns()).hasSize(4);
    }

    @Test
    void theSameDefinitionCanBeUsedForAnotherTable() throws Exception {
        session.run("CREATE TABLE a (x INT, y AS x + 1) WITH ('bucket.num'='2')");
        session.run("CREATE TABLE b LIKE a");
        session.run("CREATE TABLE IF NOT EXISTS b (other STRING)");

        assertThat(session.query("SHOW TABLES")).containsExactly("+I[a]", "+I[b]");
        assertThat(session.query("DESCRIBE b")).hasSize(2);
        assertThatThrownBy(() -> session.run("CREATE TABLE b (x INT)"))
                .hasStackTraceContaining("already exists");
        session.run("DROP TABLE b");
        session.run("DROP TABLE IF EXISTS b");
        assertThat(session.query("SHOW TABLES")).containsExactly("+I[a]");
        assertThat(session.query("SHOW VIEWS")).isEmpty();
    }

    @Test
    void distributedBySetsTheBuckets() throws Exception {
        session.run("CREATE TABLE t (a INT, b INT) DISTRIBUTED BY HASH(b) INTO 4 BUCKETS");

        TableInfo table = service.admin().table(new TablePath("fluss", "t"));
        assertThat(table.descriptor().bucketCount()).isEqualTo(4);
        assertThat(table.descriptor().bucketKey()).containsExactly("b");
    }

    /** Among them O-32: what is not held is refused with its name. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a INT, dt STRING) PARTITIONED BY (dt | PARTITIONED BY (dt) is not supported",
                "a INT, o BIGINT METADATA | metadata column o is not supported",
                "a VARCHAR(10) | column a has the type VARCHAR(10)",
                "a ARRAY<INT> | column a has the type ARRAY<INT>",
                "a MAP<STRING, INT> | column a has the type MAP<STRING, INT>",
                "a ROW<b INT> | column a has the type ROW<`b` INT>",
                "`_log_offset` INT | _log_offset",
                "a AS 1 | no column that is stored",
            })
    void whatCannotBeHeldIsRefused(String columns, String message) {
        assertThatThrownBy(() -> session.run("CREATE TABLE t (" + columns + ")"))
                .hasStackTraceContaining(message);
        assertThat(sql.listTables()).isEmpty();
    }

    /** Among them O-30: there are no merge engines. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "connector | kafka | 'connector'='kafka' is not possible",
                "table.merge-engine | first_row | table.merge-engine",
                "table.merge-engine | versioned | table.merge-engine",
                "table.log.tll | 1 d | did you mean 'table.log.ttl'",
                "bucket.num | many | a whole number from 1 on",
                "bucket.num | 0 | a whole number from 1 on",
                "bucket.key | b | b",
                "scan.startup.mod | full | scan.startup.mode",
                "table.datalake.enabled | true | has no lake",
                "auto-increment.fields | id | auto-increment",
            })
    void wrongOptionsAreRefused(String key, String value, String message) {
        String table =
                String.format(
                        "CREATE TABLE t (id INT, b INT, PRIMARY KEY (id) NOT ENFORCED) WITH"
                                + " ('%s'='%s')",
                        key, value);
        assertThatThrownBy(() -> session.run(table)).hasStackTraceContaining(message);
        assertThat(sql.listTables()).isEmpty();
    }

    @Test
    void viewsOfATableHaveTheirExactSchemas() throws Exception {
        session.run("CREATE TABLE t (a INT, b STRING, PRIMARY KEY (a) NOT ENFORCED)");

        assertThat(session.query("DESCRIBE t$changelog"))
                .containsExactly(
                        "+I[_change_type, STRING, false, null, null, null]",
                        "+I[_log_offset, BIGINT, false, null, null, null]",
                        "+I[_commit_timestamp, TIMESTAMP_LTZ(3), false, null, null, null]",
                        "+I[a, INT, false, null, null, null]",
                        "+I[b, STRING, true, null, null, null]");
        assertThat(session.query("DESCRIBE t$binlog"))
                .containsExactly(
                        "+I[_change_type, STRING, false, null, null, null]",
                        "+I[_log_offset, BIGINT, false, null, null, null]",
                        "+I[_commit_timestamp, TIMESTAMP_LTZ(3), false, null, null, null]",
                        "+I[before, ROW<`a` INT NOT NULL, `b` STRING>, true, null, null, null]",
                        "+I[after, ROW<`a` INT NOT NULL, `b` STRING>, true, null, null, null]");
    }

    @Test
    void viewsThatDoNotExistAndWritesToViewsAreRefused() throws Exception {
        session.run("CREATE TABLE log (a INT)");

        assertThatThrownBy(() -> session.query("SELECT * FROM log$binlog"))
                .hasStackTraceContaining("only primary-key tables have a binlog");
        assertThatThrownBy(() -> session.query("SELECT * FROM log$lake"))
                .hasStackTraceContaining("'table.datalake.enabled'='true'");
        assertThatThrownBy(() -> session.query("SELECT * FROM log$other"))
                .hasStackTraceContaining("log$other");
        assertThatThrownBy(
                        () ->
                                session.run(
                                        "INSERT INTO log$changelog VALUES ('insert', 0,"
                                                + " CURRENT_TIMESTAMP, 1)"))
                .hasStackTraceContaining("read-only view");
        assertThatThrownBy(() -> session.run("DROP TABLE log$changelog"))
                .hasStackTraceContaining("read-only view");
    }

    @Test
    void storageOptionsCannotBeSetByHints() throws Exception {
        session.run("CREATE TABLE t (a INT)");

        assertThatThrownBy(() -> session.query("SELECT * FROM t /*+ OPTIONS('bucket.num'='7') */"))
                .hasStackTraceContaining("fixed when the table is created");
        assertThatThrownBy(
                        () ->
                                session.query(
                                        "SELECT * FROM t /*+ OPTIONS('scan.startup.mod'='full') */"))
                .hasStackTraceContaining("scan.startup.mode");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE t RENAME TO u",
                "ALTER TABLE t ADD b INT",
                "CREATE VIEW v AS SELECT * FROM t"
            })
    void whatTheCatalogCannotDoIsSaid(String statement) throws Exception {
        session.run("CREATE TABLE t (a INT)");

        assertThatThrownBy(() -> session.run(statement)).hasStackTraceContaining("fluss");
    }

    @Test
    void aMistypedCatalogOptionIsNamedWithTheClosestOne() {
        assertThatThrownBy(
                        () ->
                                session.run(
                                        "CREATE CATALOG d WITH ('type'='fluss',"
                                                + " 'bootstrap.server'='localhost:9')"))
                .hasStackTraceContaining("bootstrap.server")
                .hasStackTraceContaining("did you mean 'bootstrap.servers'");
    }

    /** O-82, O-83: as long as there are no logins, nobody must believe there were. */
    @Test
    void aLoginIsRefusedBecauseThereAreNone() {
        assertThatThrownBy(
                        () ->
                                session.run(
                                        "CREATE CATALOG d WITH ('type'='fluss',"
                                                + " 'bootstrap.servers'='"
                                                + session.servers()
                                                + "', 'client.security.protocol'='sasl',"
                                                + " 'client.security.sasl.username'='root')"))
                .hasStackTraceContaining(
                        "[client.security.protocol, client.security.sasl.username]")
                .hasStackTraceContaining("has no authentication");
    }

    /** O-26: columns that are left out would become NULL. */
    @Test
    void anInsertOfSomeColumnsOfAPrimaryKeyTableIsRefused() throws Exception {
        session.run(
                "CREATE TABLE users (id INT, age INT, city STRING, PRIMARY KEY (id) NOT ENFORCED)");

        assertThatThrownBy(() -> session.run("INSERT INTO users (id, age) VALUES (1, 31)"))
                .hasStackTraceContaining("partial updates are not supported yet")
                .hasStackTraceContaining("[id, age, city]");
    }

    @Test
    void aMissingDefaultDatabaseIsNamed() {
        assertThatThrownBy(
                        () ->
                                session.run(
                                        "CREATE CATALOG d WITH ('type'='fluss',"
                                                + " 'bootstrap.servers'='"
                                                + session.servers()
                                                + "', 'default-database'='nope')"))
                .hasStackTraceContaining("nope")
                .hasStackTraceContaining("[fluss]");
    }

    @Test
    void aServerThatIsNotThereIsNamedWithinSeconds() {
        long start = System.nanoTime();
        assertThatThrownBy(
                        () ->
                                session.run(
                                        "CREATE CATALOG d WITH ('type'='fluss',"
                                                + " 'bootstrap.servers'='localhost:9')"))
                .hasStackTraceContaining("localhost:9");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }
}
