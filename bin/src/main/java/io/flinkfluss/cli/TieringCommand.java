package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.StateDirectory;
import io.flinkfluss.cli.service.TieringService;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "tiering",
        mixinStandardHelpOptions = true,
        description = "The job that copies lake-enabled tables to the lake.",
        synopsisSubcommandLabel = "start|stop|status",
        subcommands = {
            TieringCommand.Start.class,
            TieringCommand.Stop.class,
            TieringCommand.Status.class
        })
final class TieringCommand {

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            description = {
                "Submits the tiering job to the local Flink cluster and waits until it runs.",
                "Needs bin/fluss start and bin/fluss flink start. It writes to warehouse in the"
                        + " state directory; its log is the TaskManager's."
            })
    static final class Start implements Runnable {
        @Spec private CommandSpec spec;
        @Mixin private StateOption state;

        @Override
        public void run() {
            PrintWriter out = spec.commandLine().getOut();
            StateDirectory directory = state.open();
            String address = SqlCommand.storageAddress(directory);
            out.println("Submitting the tiering job for " + address + " …");
            out.flush();
            String job = new TieringService(directory).start(address);
            out.println("  running as job " + job + ", lake in " + directory.warehouse());
            out.println("Stop with: bin/fluss tiering stop");
        }
    }

    @Command(
            name = "stop",
            mixinStandardHelpOptions = true,
            description = "Cancels the tiering job and waits for its end; the lake stays correct.")
    static final class Stop implements Runnable {
        @Spec private CommandSpec spec;
        @Mixin private StateOption state;

        @Override
        public void run() {
            PrintWriter out = spec.commandLine().getOut();
            boolean stopped = new TieringService(state.named()).stop();
            out.println(
                    stopped
                            ? "Tiering job stopped"
                            : "No tiering job runs with state directory " + state.named().root());
        }
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = "Shows the tiering job. Exit status 0 when it runs, 3 when it does not.")
    static final class Status implements Callable<Integer> {
        private static final int NOT_RUNNING = 3;

        @Spec private CommandSpec spec;
        @Mixin private StateOption state;

        @Override
        public Integer call() {
            Optional<String> job = new TieringService(state.named()).runningJob();
            spec.commandLine()
                    .getOut()
                    .println(
                            job.map(id -> "Tiering job " + id + " runs")
                                    .orElse("No tiering job runs"));
            return job.isPresent() ? 0 : NOT_RUNNING;
        }
    }
}
