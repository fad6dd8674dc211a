package io.flinkfluss.benchmarks;

import io.flinkfluss.benchmarks.cluster.Libraries;
import io.flinkfluss.benchmarks.cluster.RunFailedException;
import io.flinkfluss.benchmarks.cluster.SystemServers;
import io.flinkfluss.benchmarks.plan.Contender;
import io.flinkfluss.benchmarks.plan.Schedule;
import io.flinkfluss.benchmarks.plan.Session;
import io.flinkfluss.benchmarks.plan.Sizes;
import io.flinkfluss.benchmarks.plan.SystemKind;
import io.flinkfluss.benchmarks.plan.Workload;
import io.flinkfluss.benchmarks.report.BenchmarkPage;
import io.flinkfluss.benchmarks.report.Conditions;
import io.flinkfluss.benchmarks.report.JsonReport;
import io.flinkfluss.benchmarks.report.Machine;
import io.flinkfluss.benchmarks.report.MarkdownReport;
import io.flinkfluss.benchmarks.report.Results;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/fluss bench}. */
@Command(
        name = "fluss bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs the same workloads against this product, Apache Fluss and Apache Kafka on this"
                    + " machine, checks every answer, and prints figures and ratios.",
            "",
            "Workloads: W1 append, W2 scan, W2p scan of 2 of 8 columns, W2f scan with a filter, W3"
                    + " insert and update by key, W4 lookups, W4p lookups by a prefix of the key,"
                    + " W5 end-to-end latency, W6 Flink SQL, W7 start and idle memory, W8 three nodes, W9 growth"
                    + " of rows, buckets and tables. Let nothing else run meanwhile. The exit"
                    + " status is 1 if any run failed; missed targets do not change it.",
            ""
        })
public final class BenchCommand implements Callable<Integer> {
    private static final int DONE = 0;
    private static final int RUN_FAILED = 1;
    private static final int FULL_ROUNDS = 5;
    private static final int QUICK_ROUNDS = 2;
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    /** The peers that can be chosen. */
    enum Peer {
        FLUSS,
        KAFKA,
        NONE
    }

    @Option(names = "--quick", description = "fewer rows and rounds; less than 15 minutes")
    private boolean quick;

    @Option(
            names = "--workloads",
            split = ",",
            description =
                    "only these (default: all, with --quick all but W6, W8 and W9):"
                            + " ${COMPLETION-CANDIDATES}")
    private List<Workload> workloads;

    @Option(
            names = "--peers",
            split = ",",
            description = "only these (default: all): ${COMPLETION-CANDIDATES}")
    private List<Peer> peers;

    @Option(
            names = "--runs",
            description =
                    "how often each system does each workload (default: "
                            + FULL_ROUNDS
                            + ", with --quick "
                            + QUICK_ROUNDS
                            + ")")
    private Integer runs;

    @Option(
            names = "--seed",
            description = "the order of runs; a random one if not given, printed in any case")
    private Long seed;

    @Option(
            names = "--results",
            description = "folder for the result files (default: .fluss/bench beside bin)")
    private Path resultsFolder;

    @Option(
            names = "--folder",
            description =
                    "new folder for data and logs of the systems, deleted after a success (default:"
                            + " in the machine's temporary folder)")
    private Path folder;

    @Option(names = "--keep", description = "keep data and logs after a success too")
    private boolean keep;

    @Option(
            names = "--profile",
            description =
                    "save flight recordings of this product's processes beside the results; costs a"
                            + " few percent")
    private boolean profile;

    @Option(
            names = "--write-docs",
            description =
                    "write the tables into docs/benchmarks.md too, instead of those of the same"
                            + " workloads")
    private boolean writeDocs;

    @Option(names = "--json", description = "one JSON object on standard output, the rest on error")
    private boolean json;

    private BenchCommand() {}

    /** Exit codes: 0 all runs were right, 1 some failed, 2 wrong command line. */
    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new BenchCommand())
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .setExecutionExceptionHandler(BenchCommand::explain)
                        .execute(arguments));
    }

    private static int explain(
            Exception failure, CommandLine command, CommandLine.ParseResult parsed)
            throws Exception {
        if (!(failure instanceof RunFailedException)) {
            throw failure;
        }
        command.getErr().println("fluss bench: " + failure.getMessage());
        return RUN_FAILED;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (runs != null && runs < 1) {
            System.err.println("fluss bench: takes --runs 1 or more, not " + runs);
            return CommandLine.ExitCode.USAGE;
        }
        Instant start = Instant.now();
        PrintStream human = json ? System.err : System.out;
        long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
        int rounds = runs != null ? runs : quick ? QUICK_ROUNDS : FULL_ROUNDS;
        Path place = folder == null ? Files.createTempDirectory("fluss-bench-") : folder;
        Files.createDirectories(place);
        List<Session> sessions =
                Schedule.of(
                        rounds,
                        Workload.stages(chosenWorkloads()),
                        Contender.of(chosenPeers()),
                        chosenSeed);
        Conditions conditions = conditions(start, place, rounds, chosenSeed);
        Files.createDirectories(results());
        human.println(conditions.repetition());
        Results results =
                new Benchmark(
                                new BenchSettings(
                                        sessions,
                                        sizes(),
                                        libraries(),
                                        place.toAbsolutePath(),
                                        keep,
                                        profile ? Optional.of(results()) : Optional.empty()),
                                line -> {
                                    human.println(line);
                                    human.flush();
                                })
                        .run();
        report(conditions, results, human);
        boolean passed = results.failures().isEmpty();
        if (passed && !keep) {
            Files.delete(place);
        } else {
            human.println("Logs and data: " + place);
        }
        return passed ? DONE : RUN_FAILED;
    }

    private void report(Conditions conditions, Results results, PrintStream human)
            throws IOException {
        String tables = new MarkdownReport(conditions, results).text();
        String object = JsonReport.text(conditions, results);
        Path target = results();
        String name = "bench-" + STAMP.format(conditions.date());
        Path jsonFile = Files.writeString(target.resolve(name + ".json"), object + "\n");
        Files.writeString(target.resolve(name + ".md"), tables);
        human.println();
        human.println(tables);
        human.println("Results: " + jsonFile + " and the same as .md");
        if (writeDocs) {
            Path page = home().resolve("docs").resolve("benchmarks.md");
            BenchmarkPage.write(page, conditions.workloads(), tables);
        }
        if (json) {
            System.out.println(object);
        }
    }

    private Conditions conditions(Instant start, Path place, int rounds, long chosenSeed) {
        Map<SystemKind, String> versions = new EnumMap<>(SystemKind.class);
        versions.put(SystemKind.PRODUCT, libraries().version(SystemKind.PRODUCT));
        chosenPeers().forEach(peer -> versions.put(peer, libraries().version(peer)));
        String again =
                "bin/fluss bench"
                        + (quick ? " --quick" : "")
                        + (profile ? " --profile" : "")
                        + (workloads == null ? "" : " --workloads " + names(chosenWorkloads()))
                        + (peers == null ? "" : " --peers " + names(peers))
                        + " --runs "
                        + rounds
                        + " --seed "
                        + chosenSeed;
        return new Conditions(
                start,
                System.getProperty("fluss.commit", "unknown"),
                Machine.here(place),
                versions,
                sizes(),
                List.copyOf(chosenWorkloads()),
                rounds,
                SystemServers.HEAP,
                again);
    }

    private static String names(Iterable<? extends Enum<?>> values) {
        StringBuilder text = new StringBuilder();
        for (Enum<?> value : values) {
            text.append(text.isEmpty() ? "" : ",").append(value.name().toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }

    private Path results() {
        return resultsFolder == null ? home().resolve(".fluss").resolve("bench") : resultsFolder;
    }

    private Sizes sizes() {
        return quick ? Sizes.QUICK : Sizes.FULL;
    }

    private Set<Workload> chosenWorkloads() {
        if (workloads != null) {
            return EnumSet.copyOf(workloads);
        }
        // Each of these alone would take the 15 minutes, or most of them.
        return quick
                ? EnumSet.complementOf(EnumSet.of(Workload.W6, Workload.W8, Workload.W9))
                : EnumSet.allOf(Workload.class);
    }

    private Set<SystemKind> chosenPeers() {
        Set<SystemKind> chosen = EnumSet.noneOf(SystemKind.class);
        for (Peer peer : peers == null ? List.of(Peer.values()) : peers) {
            switch (peer) {
                case FLUSS -> chosen.add(SystemKind.FLUSS);
                case KAFKA -> chosen.add(SystemKind.KAFKA);
                case NONE -> {}
            }
        }
        return chosen;
    }

    private Libraries libraries() {
        List<String> flags = new ArrayList<>();
        if (profile) {
            flags.add("-XX:StartFlightRecording=settings=profile");
        }
        Arrays.stream(System.getProperty("fluss.jvm.opens", "").split(" "))
                .filter(flag -> !flag.isBlank())
                .forEach(flags::add);
        return new Libraries(
                Path.of(required("fluss.dist")),
                home().resolve("e2e-tests").resolve("benchmarks"),
                flags,
                Path.of(System.getProperty("fluss.server.archive", "")));
    }

    private static Path home() {
        return Path.of(required("fluss.home"));
    }

    private static String required(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            throw new IllegalStateException(
                    "-D" + property + " is missing; start this with bin/fluss bench");
        }
        return value;
    }
}
