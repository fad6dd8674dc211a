package io.flinkfluss.benchmarks;

import io.flinkfluss.benchmarks.cluster.Libraries;
import io.flinkfluss.benchmarks.plan.Session;
import io.flinkfluss.benchmarks.plan.Sizes;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a benchmark does.
 *
 * @param place where sessions get their folders
 * @param keep whether the folder of a session stays after a success too
 * @param recordings where flight recordings of this product go, if it was started with them
 */
record BenchSettings(
        List<Session> sessions,
        Sizes sizes,
        Libraries libraries,
        Path place,
        boolean keep,
        Optional<Path> recordings) {
    BenchSettings {
        sessions = List.copyOf(sessions);
    }
}
