package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.storage.api.error.StorageException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code bin/fluss}. */
@Command(
        name = "fluss",
        mixinStandardHelpOptions = true,
        version = "flink-fluss 0.1.0-SNAPSHOT",
        description = "A streaming lakehouse on Flink, on this machine.",
        synopsisSubcommandLabel = "VERB",
        commandListHeading = "%nVerbs:%n",
        subcommands = {
            QuickstartCommand.class,
            StartCommand.class,
            StopCommand.class,
            StatusCommand.class,
            NodesCommand.class,
            DrainCommand.class,
            RebalanceCommand.class,
            FlinkCommand.class,
            SqlCommand.class,
            TieringCommand.class
        },
        footer = {
            "",
            "Each verb has --help. The first thing to try: bin/fluss quickstart",
            "bin/fluss build builds the distribution (done by itself when it is missing).",
            "bin/fluss verify breaks a cluster of real processes and checks that it loses nothing.",
            "bin/fluss bench compares with Apache Fluss and Apache Kafka on this machine."
        })
public final class FlussCommand {
    private FlussCommand() {}

    /** Exit codes: 0 done, 1 failed, 2 wrong command line. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new FlussCommand());
        commandLine.setExecutionExceptionHandler(
                (exception, command, parsed) -> {
                    if (!(exception instanceof CliException
                            || exception instanceof StorageException)) {
                        throw exception;
                    }
                    command.getErr().println("fluss: " + exception.getMessage());
                    return 1;
                });
        CommandLine.IParameterExceptionHandler others = commandLine.getParameterExceptionHandler();
        commandLine.setParameterExceptionHandler(
                (wrong, arguments) ->
                        wrong instanceof CommandLine.UnmatchedArgumentException unmatched
                                        && wrong.getCommandLine() == commandLine
                                ? refuseVerb(commandLine, unmatched.getUnmatched().get(0))
                                : others.handleParseException(wrong, arguments));
        return commandLine;
    }

    private static int refuseVerb(CommandLine commandLine, String verb) {
        commandLine
                .getErr()
                .println(
                        "fluss: '"
                                + verb
                                + "' is not a verb. The verbs are "
                                + String.join(", ", commandLine.getSubcommands().keySet())
                                + ", build and verify; fluss --help says what each does.");
        return CommandLine.ExitCode.USAGE;
    }
}
