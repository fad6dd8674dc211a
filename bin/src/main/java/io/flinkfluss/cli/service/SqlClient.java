package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Flink's own SQL client on the local cluster, with the catalog created and in use. */
public final class SqlClient {
    private static final String MAIN = "org.apache.flink.table.client.SqlClient";

    private final StateDirectory state;

    public SqlClient(StateDirectory state) {
        this.state = state;
    }

    /** The statements that a session begins with. */
    public static String initStatements(String address) {
        return """
               CREATE CATALOG fluss WITH (
                 'type' = 'fluss',
                 'bootstrap.servers' = '%s'
               );
               USE CATALOG fluss;
               """
                .formatted(address);
    }

    public Path log() {
        return state.log("sql");
    }

    /** Runs an interactive session, or the script's statements; returns the client's exit code. */
    public int run(String address, Path scriptOrNull) {
        new LocalFlink(state).requireWebPort();
        List<String> arguments =
                new ArrayList<>(List.of("embedded", "-i", writeInit(address).toString()));
        if (scriptOrNull != null) {
            if (!Files.isReadable(scriptOrNull)) {
                throw new CliException("cannot read " + scriptOrNull.toAbsolutePath());
            }
            arguments.addAll(List.of("-f", scriptOrNull.toAbsolutePath().toString()));
        }
        return FlinkProgram.runInForeground(FlinkProgram.of(state, "sql", MAIN, arguments));
    }

    private Path writeInit(String address) {
        Path file = state.folder("conf").resolve("init.sql");
        try {
            return Files.writeString(
                    file,
                    initStatements(address)
                            + "SET 'sql-client.execution.result-mode' = 'tableau';\n");
        } catch (IOException e) {
            throw new CliException("cannot write " + file + ": " + e, e);
        }
    }
}
