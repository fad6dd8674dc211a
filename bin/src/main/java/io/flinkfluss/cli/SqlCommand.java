package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.StateDirectory;
import io.flinkfluss.cli.service.LocalStorage;
import io.flinkfluss.cli.service.SqlClient;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "sql",
        mixinStandardHelpOptions = true,
        description = {
            "Flink's SQL client on the local cluster, with the catalog 'fluss' created and in use.",
            "Needs bin/fluss start and bin/fluss flink start. Log: logs/sql.log in the state"
                    + " directory."
        })
final class SqlCommand implements Callable<Integer> {
    @Mixin private StateOption state;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Runs the statements of this file instead of a session.")
    private Path script;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT",
            description = "Storage service to use. Default: the one of this state directory.")
    private String address;

    @Override
    public Integer call() {
        StateDirectory directory = state.open();
        return new SqlClient(directory)
                .run(address == null ? storageAddress(directory) : address, script);
    }

    static String storageAddress(StateDirectory directory) {
        return new LocalStorage(directory)
                .address()
                .orElseThrow(
                        () ->
                                new CliException(
                                        "no storage service runs with state directory "
                                                + directory.root()
                                                + "; start one with: bin/fluss start"));
    }
}
