package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.e2e.cluster.Lakehouse;
import io.flinkfluss.e2e.cluster.StorageProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Wrong input gets an error that names what is wrong, at the statement and not at the first record,
 * and loses nothing.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class WrongInputITCase {
    @TempDir static Path folder;
    private static Lakehouse lakehouse;

    @BeforeAll
    static void start() {
        lakehouse = new Lakehouse(folder);
        lakehouse.run("CREATE TABLE kept (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED)");
        lakehouse.run("CREATE TABLE events (id INT, v STRING)");
        lakehouse.run("INSERT INTO kept VALUES (1, 'one')");
    }

    @AfterAll
    static void stop() {
        assertThat(lakehouse.query("SELECT * FROM kept")).hasToString("[+I[1, one]]");
        lakehouse.close();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    CREATE TABLE t (id INT) WITH ('table.datalake.enable'='true')                  | table.datalake.enabled
                    CREATE TABLE t (id INT) WITH ('table.log.arrow.compression.type'='GZIP')       | GZIP
                    CREATE TABLE t (id INT) WITH ('bucket.num'='0')                                | bucket.num
                    CREATE TABLE t (id INT, v VARCHAR(10))                                         | v
                    CREATE TABLE t (id INT, xs ARRAY<INT>)                                         | xs
                    CREATE TABLE t (id INT, `__offset` BIGINT)                                     | __offset
                    CREATE TABLE t (id INT) WITH ('connector'='kafka')                             | kafka
                    CREATE TABLE t (id INT, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.key'='v') | bucket key
                    CREATE TABLE events (id INT)                                                   | events
                    CREATE TABLE missing_database.t (id INT)                                       | missing_database
                    CREATE TABLE `a b` (id INT)                                                    | a b
                    SELECT * FROM missing_table                                                    | missing_table
                    SELECT * FROM events /*+ OPTIONS('scan.startup.mod'='latest') */               | scan.startup.mode
                    SELECT * FROM events /*+ OPTIONS('scan.startup.mode'='timestamp') */           | scan.startup.timestamp
                    SELECT * FROM events$binlog                                                    | only primary-key tables
                    SELECT * FROM events$lake                                                      | table.datalake.enabled
                    INSERT INTO kept SELECT 'x', 'y'                                               | kept
                    INSERT INTO kept (id) VALUES (1)                                               | partial updates are not supported
                    INSERT INTO kept$changelog SELECT * FROM kept$changelog                        | changelog
                    DROP DATABASE fluss                                                            | fluss
                    """)
    void aWrongStatementIsRefusedByName(String statement, String named) {
        assertThatThrownBy(() -> lakehouse.query(statement)).hasStackTraceContaining(named);
    }

    @Test
    void aNullInAKeyFailsTheStatementAndNamesTheColumn() {
        assertThatThrownBy(
                        () -> lakehouse.run("INSERT INTO kept SELECT CAST(NULL AS INT), 'nobody'"))
                .hasStackTraceContaining("'id'");
    }

    @Test
    void aServerThatIsNotThereIsNamedWithinSeconds() {
        String address = "127.0.0.1:" + StorageProcess.freePort();
        long before = System.nanoTime();
        assertThatThrownBy(
                        () -> {
                            TableEnvironment environment =
                                    TableEnvironment.create(EnvironmentSettings.inBatchMode());
                            environment.executeSql(
                                    "CREATE CATALOG nowhere WITH ('type'='fluss', 'bootstrap.servers'='"
                                            + address
                                            + "')");
                            environment.executeSql("USE CATALOG nowhere");
                            environment.executeSql("SHOW DATABASES");
                        })
                .hasStackTraceContaining(address);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Outcome outcome = server(folder.resolve("port"), taken.getLocalPort());
            assertThat(outcome.exit()).isEqualTo(4);
            assertThat(outcome.log()).contains(String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void aFolderInUseIsRefused() throws Exception {
        Outcome outcome = server(lakehouse.storage().dataDirectory(), StorageProcess.freePort());
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.log())
                .contains(lakehouse.storage().dataDirectory().toString())
                .containsIgnoringCase("in use");
    }

    @Test
    void aFolderOfAnotherVersionIsRefused() throws Exception {
        Path data = folder.resolve("other-version");
        StorageProcess.start(data).close();
        Path version = data.resolve("VERSION");
        Files.writeString(version, Files.readString(version).replaceFirst("\\d+", "999"));
        Outcome outcome = server(data, StorageProcess.freePort());
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.log()).contains("999");
    }

    private record Outcome(int exit, String log) {}

    private static Outcome server(Path data, int port) throws Exception {
        Path log = folder.resolve("refused-" + port + ".log");
        Process process =
                StorageProcess.java(
                        "io.flinkfluss.storage.server.StorageServer",
                        List.of(
                                "--data-dir",
                                data.toString(),
                                "--host",
                                "127.0.0.1",
                                "--port",
                                String.valueOf(port)),
                        log);
        boolean ended = StorageProcess.await(process, Duration.ofSeconds(30));
        if (!ended) {
            process.destroyForcibly();
        }
        assertThat(ended).as("the server ends by itself").isTrue();
        return new Outcome(process.exitValue(), Files.readString(log));
    }
}
