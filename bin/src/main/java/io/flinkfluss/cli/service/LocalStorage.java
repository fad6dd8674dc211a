package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.Deadline;
import io.flinkfluss.cli.runtime.Distribution;
import io.flinkfluss.cli.runtime.Ports;
import io.flinkfluss.cli.runtime.StateDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The storage service as one local process. */
public final class LocalStorage {
    public static final int DEFAULT_PORT = 9123;

    private static final String NAME = "storage";
    private static final String MAIN = "io.flinkfluss.storage.server.StorageServer";
    private static final Duration START_PATIENCE = Duration.ofSeconds(120);

    private final StateDirectory state;

    public LocalStorage(StateDirectory state) {
        this.state = state;
    }

    public Optional<BackgroundProcess> running() {
        return BackgroundProcess.find(state, NAME);
    }

    public Path log() {
        return state.log(NAME);
    }

    /**
     * Starts the service and waits until it serves.
     *
     * @throws CliException when it runs already, the port is in use, or it does not get ready
     */
    public BackgroundProcess start(Path dataDir, int port) {
        running()
                .ifPresent(
                        process -> {
                            throw new CliException(
                                    "the storage service already runs (pid "
                                            + process.pid()
                                            + ", "
                                            + process.fact("address")
                                            + "); stop it with: bin/fluss stop");
                        });
        Ports.requireFree(port, "the storage service", "--port");
        BackgroundProcess process =
                BackgroundProcess.start(
                        state,
                        NAME,
                        command(dataDir, port),
                        Map.of(),
                        Map.of(
                                "address",
                                "localhost:" + port,
                                "port",
                                Integer.toString(port),
                                "data-dir",
                                dataDir.toString(),
                                "log",
                                log().toString()));
        process.awaitReady(Deadline.in(START_PATIENCE), () -> process.printed("ready on "));
        return process;
    }

    private List<String> command(Path dataDir, int port) {
        List<String> command = new ArrayList<>();
        command.add(Distribution.java());
        command.addAll(Distribution.jvmOpens());
        command.addAll(
                List.of(
                        "-Xms256m",
                        "-Xmx1g",
                        "-XX:MaxDirectMemorySize=1g",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Dlog4j2.configurationFile=" + Logging.write(state, NAME),
                        "-cp",
                        Distribution.current().serverClassPath(),
                        MAIN,
                        "--data-dir",
                        dataDir.toString(),
                        "--port",
                        Integer.toString(port),
                        "-D",
                        "datalake.format=iceberg",
                        "-D",
                        "datalake.iceberg.type=hadoop",
                        "-D",
                        "datalake.iceberg.warehouse=" + state.warehouse().toUri()));
        return command;
    }
}
