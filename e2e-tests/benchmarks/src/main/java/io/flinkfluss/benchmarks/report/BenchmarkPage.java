package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.plan.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * docs/benchmarks.md, of which parts between two marks are written by the benchmark: one for each
 * choice of workloads, so that a run of hours can be done in pieces.
 */
public final class BenchmarkPage {
    private static final String NEXT = "<!-- the next figures come here -->";

    private BenchmarkPage() {}

    /**
     * Replaces the figures of these workloads, or adds them.
     *
     * @throws IllegalStateException when the page has no place for them
     */
    public static void write(Path page, List<Workload> workloads, String figures)
            throws IOException {
        Files.writeString(page, replace(Files.readString(page), workloads, figures));
    }

    static String replace(String page, List<Workload> workloads, String figures) {
        String names = workloads.stream().map(Workload::toString).collect(Collectors.joining(", "));
        String begin = "<!-- figures of " + names + ": written by bin/fluss bench -->\n";
        String end = "<!-- end of the figures of " + names + " -->\n";
        String part = begin + "\n### " + names + "\n\n" + figures + "\n" + end;
        int from = page.indexOf(begin);
        if (from >= 0) {
            int to = page.indexOf(end, from);
            if (to < 0) {
                throw new IllegalStateException("the page has no line '" + end.strip() + "'");
            }
            return page.substring(0, from) + part + page.substring(to + end.length());
        }
        int next = page.indexOf(NEXT);
        if (next < 0) {
            throw new IllegalStateException("the page has no line '" + NEXT + "'");
        }
        return page.substring(0, next) + part + "\n" + page.substring(next);
    }
}
