package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.service.LocalStorage;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        description = {
            "Stops the storage service that bin/fluss start started, all its nodes, and waits.",
            "Data stays; one that does not end within 20 s is killed (nothing acknowledged is lost)."
        })
final class StopCommand implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin private StateOption state;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        List<BackgroundProcess> processes = new LocalStorage(state.named()).running();
        if (processes.isEmpty()) {
            out.println("No storage service runs with state directory " + state.named().root());
            return;
        }
        for (BackgroundProcess process : processes) {
            out.println(
                    "Stopping the storage service on "
                            + process.fact("address")
                            + " (pid "
                            + process.pid()
                            + ") …");
            out.flush();
            process.stop();
        }
        out.println("  stopped");
    }
}
