package io.flinkfluss.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** docs/benchmarks.md, of which the part between two marks is written by the benchmark. */
public final class BenchmarkPage {
    private static final String BEGIN = "<!-- figures: written by bin/fluss bench -->\n";
    private static final String END = "<!-- end of figures -->";

    private BenchmarkPage() {}

    /**
     * Replaces the figures.
     *
     * @throws IllegalStateException when the page has no place for them
     */
    public static void write(Path page, String figures) throws IOException {
        Files.writeString(page, replace(Files.readString(page), figures));
    }

    static String replace(String page, String figures) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END, Math.max(0, begin));
        if (begin < 0 || end < 0) {
            throw new IllegalStateException(
                    "the page has no lines '" + BEGIN.strip() + "' and '" + END + "'");
        }
        return page.substring(0, begin + BEGIN.length())
                + "\n"
                + figures
                + "\n"
                + page.substring(end);
    }
}
