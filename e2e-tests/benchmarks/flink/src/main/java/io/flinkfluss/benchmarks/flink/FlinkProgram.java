package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.driver.Addresses;
import io.flinkfluss.benchmarks.driver.Deadline;
import io.flinkfluss.benchmarks.driver.DriverLoop;
import io.flinkfluss.benchmarks.driver.Message;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** What the driver of Flink SQL does: opens the catalog, and runs what it is asked for. */
public final class FlinkProgram implements DriverLoop.Performer {
    /** Options that are Flink's and not the system's begin with this. */
    public static final String FLINK_PREFIX = "flink.";

    private static final long RETRY_NANOS = 100_000_000;
    private static final Duration FIRST_WRITE_PATIENCE = Duration.ofSeconds(60);

    private final SqlSystem.Connector connector;
    private final Map<String, String> options = new HashMap<>();
    private String addresses;
    private SqlSystem system;
    private Jobs jobs;

    FlinkProgram(SqlSystem.Connector connector) {
        this.connector = connector;
    }

    /** Runs until the input ends; then ends the process. */
    public static void main(SqlSystem.Connector connector) {
        DriverLoop.main(new FlinkProgram(connector));
    }

    @Override
    public void perform(Message request, Consumer<Message> answers) throws Exception {
        switch (request.name()) {
            case "connect" -> connect(request);
            case "first-write" -> firstWrite();
            case "sql-log" -> log(request, report(request, answers));
            case "sql-keys" -> keys(request, report(request, answers));
            case "sql-lake" -> lake(request, report(request, answers));
            default ->
                    throw new IllegalArgumentException(
                            "a driver of Flink knows connect, first-write, sql-log, sql-keys and"
                                    + " sql-lake, not "
                                    + request.name());
        }
    }

    private static Report report(Message request, Consumer<Message> answers) {
        return new Report(DriverLoop.surroundings(request), answers);
    }

    private void connect(Message request) throws Exception {
        Map<String, String> settings = new HashMap<>();
        DriverLoop.options(request)
                .forEach(
                        (key, value) -> {
                            if (key.startsWith(FLINK_PREFIX)) {
                                settings.put(key.substring(FLINK_PREFIX.length()), value);
                            } else {
                                options.put(key, value);
                            }
                        });
        addresses = request.text("addresses");
        Deadline deadline = Deadline.in(Duration.ofSeconds(request.number("patience")));
        Addresses.await(addresses, deadline);
        while (jobs == null) {
            try {
                system = system == null ? connector.connect(addresses) : system;
                jobs = opened(settings);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception notYet) {
                deadline.check("cannot open the catalog at " + addresses + ": " + notYet);
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private Jobs opened(Map<String, String> settings) throws Exception {
        Jobs opened =
                new Jobs(
                        "CREATE CATALOG fl WITH ('type'='fluss', 'bootstrap.servers'='"
                                + addresses
                                + "')",
                        settings);
        opened.run("CREATE DATABASE IF NOT EXISTS fl." + Tables.DATABASE);
        return opened;
    }

    /** Servers that only just started may know a table before they can write to it. */
    private void firstWrite() throws Exception {
        String table = "fl." + Tables.DATABASE + ".first_row";
        Deadline deadline = Deadline.in(FIRST_WRITE_PATIENCE);
        while (true) {
            try {
                jobs.run(
                        "CREATE TABLE IF NOT EXISTS " + table + " (a INT) WITH ('bucket.num'='1')");
                jobs.run("INSERT INTO " + table + " VALUES (1)");
                return;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception notYet) {
                deadline.check("cannot write a row to " + table + ": " + notYet);
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private Tables tables(Message request) {
        return new Tables(jobs, (int) request.number("buckets"), options);
    }

    private void log(Message request, Report report) throws Exception {
        LogJobs workload = new LogJobs(jobs, tables(request));
        workload.run("log_warm", request.number("warm-up"), report.silent());
        workload.run("log", request.number("rows"), report);
    }

    private void keys(Message request, Report report) throws Exception {
        KeyJobs workload = new KeyJobs(jobs, tables(request));
        Duration longest = Duration.ofSeconds(request.number("join-seconds"));
        workload.run(
                "keys_warm", request.number("warm-up"), Duration.ofSeconds(2), report.silent());
        workload.run("keys", request.number("keys"), longest, report);
    }

    private void lake(Message request, Report report) throws Exception {
        new LakeJobs(jobs, tables(request), system)
                .run(
                        addresses,
                        request.text("warehouse"),
                        request.number("rows"),
                        request.number("tail"),
                        request.number("keys"),
                        report);
    }
}
