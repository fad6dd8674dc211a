package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.StateDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that all verbs share. */
final class StateOption {
    /** System property with the default, set by bin/fluss: {@code .fluss} in the repository. */
    static final String DEFAULT_PROPERTY = "fluss.state";

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            defaultValue = "${sys:" + DEFAULT_PROPERTY + ":-.fluss}",
            description =
                    "Directory for everything that is written: data, warehouse, logs, pids. Default:"
                            + " ${DEFAULT-VALUE} (or the variable FLUSS_STATE_DIR).")
    private Path directory;

    StateDirectory open() {
        return new StateDirectory(directory).open();
    }

    /** Without making it. */
    StateDirectory named() {
        return new StateDirectory(directory);
    }
}
