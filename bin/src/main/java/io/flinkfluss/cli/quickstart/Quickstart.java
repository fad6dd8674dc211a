package io.flinkfluss.cli.quickstart;

import io.flinkfluss.cli.data.FlightFiles;
import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.runtime.Cleanup;
import io.flinkfluss.cli.runtime.Ports;
import io.flinkfluss.cli.runtime.StateDirectory;
import io.flinkfluss.cli.runtime.Stopwatch;
import io.flinkfluss.cli.service.LocalFlink;
import io.flinkfluss.cli.service.LocalStorage;
import io.flinkfluss.cli.service.TieringService;
import io.flinkfluss.cli.text.TextTable;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Starts the services, tells the story, closes with the measured figures, and stops what it
 * started.
 */
public final class Quickstart {
    private final StateDirectory state;
    private final Path parquetOrNull;
    private final Console console;
    private final Checks checks;
    private final TextTable times = TextTable.of("step", "time");

    /**
     * @param parquetOrNull the original flights file; null for the sample
     */
    public Quickstart(StateDirectory state, Path parquetOrNull, PrintWriter out) {
        this.state = state;
        this.parquetOrNull = parquetOrNull;
        this.console = new Console(out);
        this.checks = new Checks(console);
    }

    /** What happens with the processes after a story that went to its end. */
    public enum Ending {
        STOP,
        KEEP
    }

    /**
     * Tells the story.
     *
     * @return the checks that did not hold; empty when all is well
     */
    public List<String> run(Ending ending) {
        Stopwatch total = new Stopwatch();
        stopLeftOvers();
        state.clear();
        try (Cleanup cleanup = new Cleanup()) {
            Services services = start(cleanup);
            FlightFiles flights = prepareFlights();
            int airports =
                    FlightFiles.prepareAirports(state.folder("flights").resolve("airports.csv"));
            FlussClient client = FlussClient.connect(ClientConfig.of(services.address()));
            cleanup.add(client::close);
            SqlSession sql = new SqlSession(console, new LocalFlink(state).clientSettings());
            Tiers tiers = new Tiers(client, state.warehouse());
            Story story = new Story(console, checks, sql, tiers, flights, airports);
            step("1 catalog and tables", () -> story.createTables(services.address()));
            step("2 load", () -> story.load(state.folder("flights").resolve("airports.csv")));
            step("3 lookup join", story::lookupJoin);
            step("4 tiering", () -> story.tier(() -> startTiering(services.address())));
            step("5 union read", story::unionRead);
            step("6 changelog and binlog", story::changelog);
            step("7 closing table", () -> closing(story, client, tiers));
            end(cleanup, ending);
        }
        times.add("total", total.text());
        console.table(times);
        return summary();
    }

    private record Services(String address, String web) {}

    private Services start(Cleanup cleanup) {
        console.heading("Starting the services; everything they write is in " + state.root());
        Stopwatch watch = new Stopwatch();
        LocalStorage storage = new LocalStorage(state);
        cleanup.add(() -> storage.running().forEach(BackgroundProcess::stop));
        BackgroundProcess process =
                storage.start(state.data(), Ports.freeNear(LocalStorage.DEFAULT_PORT));
        console.line(
                "  storage service on "
                        + process.fact("address")
                        + " (pid "
                        + process.pid()
                        + ", log "
                        + storage.log()
                        + ")");
        LocalFlink flink = new LocalFlink(state);
        cleanup.add(flink::stop);
        int webPort = Ports.freeNear(LocalFlink.DEFAULT_WEB_PORT);
        flink.start(webPort, LocalFlink.DEFAULT_SLOTS);
        console.line("  Flink on http://localhost:" + webPort + " (logs " + flink.logs() + ")");
        times.add("start of storage service and Flink", watch.text());
        return new Services(process.fact("address"), "http://localhost:" + webPort);
    }

    private FlightFiles prepareFlights() {
        Stopwatch watch = new Stopwatch();
        FlightFiles flights =
                FlightFiles.prepare(
                        state.folder("flights"),
                        parquetOrNull,
                        rows -> {
                            if (rows % 1_000_000 == 0) {
                                console.line("  " + rows + " flights read");
                            }
                        });
        console.line("  flights ready as CSV in " + flights.waiting() + " files");
        times.add("flights to CSV", watch.text());
        return flights;
    }

    private void startTiering(String address) {
        console.line("");
        console.line("$ bin/fluss tiering start");
        String job = new TieringService(state).start(address);
        console.line("  tiering job " + job + " runs, lake in " + state.warehouse());
    }

    private void step(String name, Runnable body) {
        console.heading("Step " + name);
        Stopwatch watch = new Stopwatch();
        body.run();
        times.add(name, watch.text());
    }

    private void closing(Story story, FlussClient client, Tiers tiers) {
        story.lakeCatchesUp();
        story.createProbeTable();
        LatencyProbe.Latency latency = LatencyProbe.measure(client, Story.PROBE_TABLE);
        TextTable table =
                TextTable.of(
                        "table",
                        "log rows",
                        "rows in lake",
                        "only in hot tier",
                        "tiering rounds",
                        "lake bytes",
                        "tier lag");
        for (String name : List.of("flights", "airport_delays")) {
            Tiers.State now = tiers.of(name);
            table.add(
                    name,
                    grouped(now.stored()),
                    grouped(now.tiered()),
                    grouped(now.hotOnly()),
                    now.rounds(),
                    grouped(tiers.lakeBytes(name)),
                    String.format("%.1f s", now.lagMillis() / 1000.0));
        }
        console.line("");
        console.table(table);
        console.line(
                "  storage service on disk, all tables: "
                        + grouped(Tiers.bytes(state.data()))
                        + " bytes");
        console.line("  " + story.tierLag());
        console.line(
                String.format(
                        "  insert to visible, one row at a time while all jobs run: p50 %.1f ms, p99"
                                + " %.1f ms (%d rows)",
                        latency.p50(), latency.p99(), latency.rows()));
        checks.verify(
                "insert to visible takes less than 1 s (p99)",
                latency.p99() < 1000,
                latency.toString());
    }

    private void end(Cleanup cleanup, Ending ending) {
        if (ending == Ending.KEEP) {
            cleanup.forget();
            console.line("");
            console.line("The services go on running. Look around with:");
            console.line("  bin/fluss sql --state-dir " + state.root());
            console.line("and stop them with:");
            console.line(
                    "  bin/fluss flink stop --state-dir "
                            + state.root()
                            + " && bin/fluss stop --state-dir "
                            + state.root());
        } else {
            console.line("");
            console.line("Stopping the services (--keep leaves them running) …");
        }
    }

    private void stopLeftOvers() {
        List<BackgroundProcess> left = new ArrayList<>();
        LocalFlink flink = new LocalFlink(state);
        flink.taskManager().ifPresent(left::add);
        flink.jobManager().ifPresent(left::add);
        left.addAll(new LocalStorage(state).running());
        for (BackgroundProcess process : left) {
            console.line("Stopping a process that an earlier quickstart left: " + process.pid());
            process.stop();
        }
    }

    private List<String> summary() {
        List<String> broken = checks.broken();
        console.line("");
        if (broken.isEmpty()) {
            console.line("All " + checks.count() + " checks held.");
        } else {
            console.line(broken.size() + " of " + checks.count() + " checks are broken:");
            broken.forEach(check -> console.line("  " + check));
        }
        return broken;
    }

    static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
