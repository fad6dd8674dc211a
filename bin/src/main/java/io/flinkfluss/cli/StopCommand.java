package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.service.LocalStorage;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        description = {
            "Stops the storage service that bin/fluss start started, and waits for its end.",
            "Data stays; one that does not end within 20 s is killed (nothing acknowledged is lost)."
        })
final class StopCommand implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin private StateOption state;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        Optional<BackgroundProcess> process = new LocalStorage(state.named()).running();
        if (process.isEmpty()) {
            out.println("No storage service runs with state directory " + state.named().root());
            return;
        }
        out.println("Stopping the storage service (pid " + process.get().pid() + ") …");
        out.flush();
        process.get().stop();
        out.println("  stopped");
    }
}
