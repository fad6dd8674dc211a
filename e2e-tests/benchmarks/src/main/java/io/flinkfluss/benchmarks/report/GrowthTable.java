package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.measure.Curve;
import io.flinkfluss.benchmarks.plan.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The curves as people read them: a line each, with a column for every scale. */
final class GrowthTable {
    private GrowthTable() {}

    /** Empty when none was measured. */
    static String text(Sizes sizes, Results results) {
        List<Growth> all = Growth.all(results);
        if (all.isEmpty()) {
            return "";
        }
        List<String> head = new ArrayList<>(List.of("what grows", "how rows are written"));
        Curve.SCALES.forEach(scale -> head.add(scale + " ×"));
        head.addAll(List.of("ratio of last to first", "target", ""));
        StringBuilder text = new StringBuilder(caption(sizes));
        text.append(MarkdownReport.line(head.toArray(String[]::new)));
        text.append("|---".repeat(head.size())).append("|\n");
        all.forEach(growth -> text.append(row(growth)));
        return text.append('\n').toString();
    }

    private static String caption(Sizes sizes) {
        return """
        W9: what a row costs this product while one thing grows, µs CPU of client and servers (rows/s). 1 × is %,d rows appended or %,d inserted, %d buckets, 1 table:

        """
                .formatted(
                        sizes.growth().append().rows(),
                        sizes.growth().insert().rows(),
                        sizes.buckets());
    }

    private static String row(Growth growth) {
        List<String> cells = new ArrayList<>();
        cells.add(lower(growth.curve().growing()));
        cells.add(lower(growth.curve().way()));
        for (int i = 0; i < growth.costs().size(); i++) {
            cells.add(
                    "%s (%s)"
                            .formatted(
                                    Figures.number(growth.costs().get(i).median()),
                                    Figures.number(growth.rowsPerSecond().get(i).median())));
        }
        cells.add(MarkdownReport.ratio(growth.ratio()));
        cells.add(Target.GROWTH.toString());
        cells.add(MarkdownReport.met(growth.isMet()));
        return MarkdownReport.line(cells.toArray(String[]::new));
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
