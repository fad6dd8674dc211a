package io.flinkfluss.verify;

import io.flinkfluss.verify.cluster.ServerProgram;
import io.flinkfluss.verify.fault.FaultKind;
import io.flinkfluss.verify.report.Console;
import io.flinkfluss.verify.report.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/fluss verify}. */
@Command(
        name = "fluss verify",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Starts a cluster of storage processes, writes, reads and looks up, breaks things from a"
                    + " seed, and checks that nothing acknowledged is lost, doubled, reordered or"
                    + " answered from the past.",
            "",
            "The last line is RESULT acknowledged=… lost=0 duplicated=0 reordered=0 stale=0"
                    + " faults=…; the exit status is 0 only if every promise was kept and every"
                    + " check was made. With root on Linux each node gets a file system of its own, so"
                    + " that disks can be full and lose power.",
            ""
        })
public final class VerifyCommand implements Callable<Integer> {
    private static final int PASSED = 0;
    private static final int FAILED = 1;

    /**
     * Small segments, and checkpoints so often that a power cut meets checkpoints whose pages the
     * kernel has not written by itself: it does that after about 30 seconds.
     */
    private static final List<String> FREQUENT_CHECKPOINTS =
            List.of(
                    "checkpoint.age-seconds=2",
                    "checkpoint.bytes=4194304",
                    "log.segment.file-size=1048576");

    @Option(names = "--scenario", defaultValue = "storage", description = "storage")
    private String scenario;

    @Option(
            names = "--nodes",
            defaultValue = "3",
            description = "storage processes: 1, 3, 5 or 7 (default: ${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = "--seconds",
            defaultValue = "300",
            description = "how long faults go on (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--seed",
            description = "what goes wrong when; a random one if not given, printed in any case")
    private Long seed;

    @Option(
            names = "--faults",
            split = ",",
            description = "only these kinds (default: all): ${COMPLETION-CANDIDATES}")
    private List<FaultKind> faults;

    @Option(names = "--json", description = "one JSON object on standard output, the rest on error")
    private boolean json;

    @Option(
            names = "--folder",
            description =
                    "new folder for data and logs; deleted after a success unless --keep (default: in"
                            + " the machine's temporary folder)")
    private Path folder;

    @Option(names = "--keep", description = "keep data and logs after a success too")
    private boolean keep;

    private VerifyCommand() {}

    /** Exit codes: 0 every promise was kept, 1 not, 2 wrong command line. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new VerifyCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!scenario.equals("storage")
                || seconds < 10
                || nodes < 1
                || nodes > 7
                || nodes % 2 == 0) {
            System.err.println(
                    "fluss verify: takes --scenario storage, --nodes 1, 3, 5 or 7 and --seconds 10 or"
                            + " more; not --scenario "
                            + scenario
                            + " --nodes "
                            + nodes
                            + " --seconds "
                            + seconds);
            return CommandLine.ExitCode.USAGE;
        }
        long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
        Path place = folder == null ? Files.createTempDirectory("fluss-verify-") : folder;
        Files.createDirectories(place);
        PrintStream human = json ? System.err : System.out;
        Console console = new Console(human, System.console() != null && !json);
        Set<FaultKind> kinds =
                faults == null ? EnumSet.allOf(FaultKind.class) : EnumSet.copyOf(faults);
        Verification verification =
                new Verification(
                        new VerifySettings(
                                nodes,
                                Duration.ofSeconds(seconds),
                                chosenSeed,
                                kinds,
                                place.toAbsolutePath(),
                                program()),
                        console);
        Result result = verification.run();
        tell(result, chosenSeed, place, human);
        return result.passed() ? PASSED : FAILED;
    }

    private void tell(Result result, long chosenSeed, Path place, PrintStream human)
            throws IOException {
        human.println();
        human.print(result.table());
        if (!result.leftOut().isEmpty()) {
            human.println(
                    "\nWARNING: not tried on this machine: " + String.join(", ", result.leftOut()));
        }
        result.findings().examples().forEach(text -> human.println("\n" + text));
        human.println(
                "\nReplay: bin/fluss verify --scenario storage --nodes "
                        + nodes
                        + " --seconds "
                        + seconds
                        + " --seed "
                        + chosenSeed
                        + (faults == null
                                ? ""
                                : " --faults "
                                        + String.join(
                                                ",", faults.stream().map(Enum::name).toList())));
        if (result.passed() && !keep) {
            delete(place);
        } else {
            human.println(
                    "Logs and data: "
                            + place
                            + " (each *.img is an ext4 file system: mount -o loop FILE FOLDER)");
        }
        human.println(result.line());
        if (json) {
            System.out.println(result.json());
        }
    }

    private static ServerProgram program() {
        String classPath = System.getProperty("fluss.server.class-path");
        if (classPath == null) {
            classPath = Path.of(required("fluss.dist"), "server").resolve("*").toString();
        }
        List<String> flags = new ArrayList<>();
        Arrays.stream(System.getProperty("fluss.jvm.opens", "").split(" "))
                .filter(flag -> !flag.isBlank())
                .forEach(flags::add);
        String archive = System.getProperty("fluss.server.archive", "");
        if (!archive.isEmpty()) {
            flags.addAll(
                    List.of(
                            "-XX:SharedArchiveFile=" + archive,
                            "-Xlog:cds=off",
                            "-Xlog:cds+dynamic=off"));
        }
        return new ServerProgram(classPath, flags, FREQUENT_CHECKPOINTS);
    }

    private static String required(String property) {
        String value = System.getProperty(property);
        if (value == null) {
            throw new IllegalStateException(
                    "-D" + property + " is missing; start this with bin/fluss verify");
        }
        return value;
    }

    private static void delete(Path place) throws IOException {
        try (Stream<Path> tree = Files.walk(place)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
