package io.flinkfluss.verify;

import io.flinkfluss.verify.cluster.ServerProgram;
import io.flinkfluss.verify.fault.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * What to verify.
 *
 * @param time how long load and faults go on
 * @param kinds faults to choose from
 * @param folder where data and logs go; new or empty
 */
public record VerifySettings(
        int nodes,
        Duration time,
        long seed,
        Set<FaultKind> kinds,
        Path folder,
        ServerProgram program) {
    public VerifySettings {
        kinds = Set.copyOf(kinds);
    }
}
