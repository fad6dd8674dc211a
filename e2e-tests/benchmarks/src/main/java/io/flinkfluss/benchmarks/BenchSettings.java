package io.flinkfluss.benchmarks;

import io.flinkfluss.benchmarks.cluster.Libraries;
import io.flinkfluss.benchmarks.plan.Session;
import io.flinkfluss.benchmarks.plan.Sizes;
import java.nio.file.Path;
import java.util.List;

/**
 * What a benchmark does.
 *
 * @param place where sessions get their folders
 * @param keep whether the folder of a session stays after a success too
 */
record BenchSettings(
        List<Session> sessions, Sizes sizes, Libraries libraries, Path place, boolean keep) {
    BenchSettings {
        sessions = List.copyOf(sessions);
    }
}
