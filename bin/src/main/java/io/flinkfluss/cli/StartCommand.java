package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.runtime.StateDirectory;
import io.flinkfluss.cli.service.LocalStorage;
import java.io.PrintWriter;
import java.nio.file.Path;
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
            "Log: logs/storage.log in the state directory."
        })
final class StartCommand implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin private StateOption state;

    @Option(
            names = "--port",
            defaultValue = "" + LocalStorage.DEFAULT_PORT,
            description = "Port to listen on. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where tables are stored. Default: data in the state directory.")
    private Path dataDir;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        StateDirectory directory = state.open();
        LocalStorage storage = new LocalStorage(directory);
        Path data = dataDir == null ? directory.data() : dataDir.toAbsolutePath().normalize();
        out.println("Starting the storage service, data in " + data + " …");
        out.println("  log: " + storage.log());
        out.flush();
        BackgroundProcess process = storage.start(data, port);
        out.println("  serving on " + process.fact("address") + " (pid " + process.pid() + ")");
        out.println("Next: bin/fluss flink start, then bin/fluss sql. Stop with: bin/fluss stop");
    }
}
