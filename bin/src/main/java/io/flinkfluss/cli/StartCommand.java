package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.runtime.StateDirectory;
import io.flinkfluss.cli.service.LocalStorage;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = {
            "Starts the storage service on this machine and waits until it serves.",
            "It listens on the loopback interface and goes on running after the command ends.",
            "With --nodes 3 it is a cluster of three processes; any one of them may fail, and",
            "the same command starts it again.",
            "Logs: logs/storage*.log in the state directory."
        })
final class StartCommand implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin private StateOption state;

    @Option(
            names = "--port",
            defaultValue = "" + LocalStorage.DEFAULT_PORT,
            description =
                    "Port to listen on; further nodes get the ports after it. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--nodes",
            defaultValue = "1",
            description =
                    "Number of nodes, each a process with data of its own. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description =
                    "Where tables are stored. Default: data in the state directory; of several nodes"
                            + " cluster-N/n1 and so on.")
    private Path dataDir;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "An option of the storage service (docs/options.md); may be repeated.")
    private List<String> options = List.of();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        StateDirectory directory = state.open();
        LocalStorage storage = new LocalStorage(directory);
        Path data = dataDir == null ? standard(directory) : dataDir.toAbsolutePath().normalize();
        LocalStorage.Plan plan = new LocalStorage.Plan(nodes, port, data, options);
        out.println(
                "Starting the storage service"
                        + (nodes == 1 ? "" : ", " + nodes + " nodes")
                        + ", data in "
                        + data
                        + " …");
        out.flush();
        for (BackgroundProcess process : storage.start(plan)) {
            out.println("  serving on " + process.fact("address") + " (pid " + process.pid() + ")");
            out.println("    log: " + process.fact("log"));
        }
        out.println("Next: bin/fluss flink start, then bin/fluss sql. Stop with: bin/fluss stop");
    }

    /** Data of one node and of several are not the same. */
    private Path standard(StateDirectory directory) {
        return nodes == 1 ? directory.data() : directory.root().resolve("cluster-" + nodes);
    }
}
