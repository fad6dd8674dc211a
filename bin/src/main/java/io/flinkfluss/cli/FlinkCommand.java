package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.runtime.StateDirectory;
import io.flinkfluss.cli.service.FlinkRest;
import io.flinkfluss.cli.service.LocalFlink;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "flink",
        mixinStandardHelpOptions = true,
        description = "A local Flink cluster: one JobManager and one TaskManager process.",
        synopsisSubcommandLabel = "start|stop|status",
        subcommands = {
            FlinkCommand.Start.class,
            FlinkCommand.Stop.class,
            FlinkCommand.Status.class
        })
final class FlinkCommand {

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            description = {
                "Starts the cluster and waits until it has slots.",
                "Settings: conf/config.yaml, logs: logs/jobmanager.log and logs/taskmanager.log in"
                        + " the state directory."
            })
    static final class Start implements Runnable {
        @Spec private CommandSpec spec;
        @Mixin private StateOption state;

        @Option(
                names = "--web-port",
                defaultValue = "" + LocalFlink.DEFAULT_WEB_PORT,
                description = "Port of the web interface. Default: ${DEFAULT-VALUE}.")
        private int webPort;

        @Option(
                names = "--slots",
                defaultValue = "" + LocalFlink.DEFAULT_SLOTS,
                description = "Task slots. Default: ${DEFAULT-VALUE}.")
        private int slots;

        @Override
        public void run() {
            PrintWriter out = spec.commandLine().getOut();
            LocalFlink flink = new LocalFlink(state.open());
            out.println("Starting Flink, JobManager and TaskManager …");
            flink.logs().forEach(log -> out.println("  log: " + log));
            out.flush();
            flink.start(webPort, slots);
            out.println("  web interface: http://localhost:" + webPort);
            out.println("Next: bin/fluss sql. Stop with: bin/fluss flink stop");
        }
    }

    @Command(
            name = "stop",
            mixinStandardHelpOptions = true,
            description =
                    "Stops both processes and waits for their end. Running jobs end with them.")
    static final class Stop implements Runnable {
        @Spec private CommandSpec spec;
        @Mixin private StateOption state;

        @Override
        public void run() {
            PrintWriter out = spec.commandLine().getOut();
            LocalFlink flink = new LocalFlink(state.named());
            if (flink.jobManager().isEmpty() && flink.taskManager().isEmpty()) {
                out.println("No Flink cluster runs with state directory " + state.named().root());
                return;
            }
            out.println("Stopping Flink …");
            out.flush();
            flink.stop();
            out.println("  stopped");
        }
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = "Shows the cluster. Exit status 0 when it runs, 3 when it does not.")
    static final class Status implements Callable<Integer> {
        private static final int NOT_RUNNING = 3;

        @Spec private CommandSpec spec;
        @Mixin private StateOption state;

        @Override
        public Integer call() {
            PrintWriter out = spec.commandLine().getOut();
            StateDirectory directory = state.named();
            Optional<BackgroundProcess> jobManager = new LocalFlink(directory).jobManager();
            Optional<String> overview =
                    jobManager.flatMap(
                            process ->
                                    new FlinkRest(Integer.parseInt(process.fact("web-port")))
                                            .overview());
            if (overview.isEmpty()) {
                out.println("No Flink cluster runs with state directory " + directory.root());
                return NOT_RUNNING;
            }
            out.println(jobManager.get().fact("web") + ": " + overview.get());
            return 0;
        }
    }
}
