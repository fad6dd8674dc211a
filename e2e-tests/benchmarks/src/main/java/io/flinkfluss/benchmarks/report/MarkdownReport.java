package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.plan.Contender;
import io.flinkfluss.benchmarks.plan.Sizes;
import io.flinkfluss.benchmarks.plan.Stage;
import io.flinkfluss.benchmarks.plan.Workload;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The tables that people read. */
public final class MarkdownReport {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);
    private static final double MICROS = 1e6;

    private final Conditions conditions;
    private final Results results;

    public MarkdownReport(Conditions conditions, Results results) {
        this.conditions = conditions;
        this.results = results;
    }

    /** Everything: conditions, ratios, growth, costs, failures. */
    public String text() {
        return conditions()
                + "\n"
                + ratios()
                + "\n"
                + GrowthTable.text(conditions.sizes(), results)
                + costs()
                + failures();
    }

    private String conditions() {
        Machine machine = conditions.machine();
        String versions =
                conditions.versions().entrySet().stream()
                        .map(each -> each.getKey().title() + " " + each.getValue())
                        .collect(Collectors.joining(", "));
        return """
        - %s UTC, commit %s
        - %s
        - %d × %s, %s GiB, %s, %s, data on %s, load %s before
        - heaps %s for each driver and each server that holds data; %s
        - %d rounds; ratios are this product's figure divided by the peer's in the same round: median (least to greatest)
        - again with: `%s`
        """
                .formatted(
                        DATE.format(conditions.date()),
                        conditions.commit(),
                        versions,
                        machine.processors(),
                        machine.processor().isEmpty() ? "unknown processor" : machine.processor(),
                        Figures.number(machine.memoryGibibytes()),
                        machine.system(),
                        "Java " + machine.java(),
                        machine.fileSystem(),
                        Figures.number(machine.loadBefore()),
                        conditions.heap(),
                        sizes(),
                        conditions.rounds(),
                        conditions.repetition());
    }

    private String sizes() {
        Sizes sizes = conditions.sizes();
        return "%,d rows (%,d to warm up), %,d keys (%,d), %,d customers (%,d), %d buckets, %d s at %,d rows/s (%d s), %d s at %,d rows/s (%d s); in Flink %,d rows (%,d), %,d keys (%,d), %,d fresh rows"
                .formatted(
                        sizes.log().rows(),
                        sizes.log().warmUpRows(),
                        sizes.keys().count(),
                        sizes.keys().warmUpCount(),
                        sizes.customers().count(),
                        sizes.customers().warmUpCount(),
                        sizes.buckets(),
                        sizes.latency().seconds(),
                        sizes.latency().rowsPerSecond(),
                        sizes.latency().warmUpSeconds(),
                        sizes.fast().seconds(),
                        sizes.fast().rowsPerSecond(),
                        sizes.fast().warmUpSeconds(),
                        sizes.sql().log().rows(),
                        sizes.sql().log().warmUpRows(),
                        sizes.sql().keys().rows(),
                        sizes.sql().keys().warmUpRows(),
                        sizes.sql().tail());
    }

    private String ratios() {
        StringBuilder text = new StringBuilder();
        text.append(
                "| workload | figure | this product | peer | its figure | ratio | target | |\n");
        text.append("|---|---|---|---|---|---|---|---|\n");
        for (Workload workload : conditions.workloads()) {
            for (Measure measure : workload.measures()) {
                List<Comparison> comparisons = results.comparisons(measure);
                comparisons.forEach(comparison -> text.append(row(workload, comparison)));
                // Growth has a table of its own.
                if (comparisons.isEmpty() && workload.stage() != Stage.GROWTH) {
                    text.append(alone(workload, measure));
                }
            }
        }
        return text.toString();
    }

    private static String row(Workload workload, Comparison comparison) {
        Measure measure = comparison.measure();
        return line(
                workload.toString(),
                measure.title() + ", " + measure.unit(),
                Figures.number(comparison.product().median()),
                comparison.peer().title(),
                Figures.number(comparison.other().median()),
                ratio(comparison.ratio()),
                comparison.target().map(Target::toString).orElse("–"),
                comparison.isMet().map(MarkdownReport::met).orElse(""));
    }

    static String ratio(Spread ratio) {
        return "%s (%s to %s)"
                .formatted(
                        Figures.number(ratio.median()),
                        Figures.number(ratio.min()),
                        Figures.number(ratio.max()));
    }

    static String met(boolean met) {
        return met ? "met" : "**not met**";
    }

    /** A figure that no peer has beside it. */
    private String alone(Workload workload, Measure measure) {
        return results.spread(measure, Contender.PRODUCT)
                .map(
                        spread ->
                                line(
                                        workload.toString(),
                                        measure.title() + ", " + measure.unit(),
                                        Figures.number(spread.median()),
                                        "–",
                                        "–",
                                        "–",
                                        "–",
                                        ""))
                .orElse("");
    }

    private String costs() {
        StringBuilder text = new StringBuilder("What it took, medians:\n\n");
        text.append("| figure | system | client µs CPU a row | servers µs CPU a row | loopback MB");
        text.append(" | disk MB | client memory MB | servers memory MB | other CPUs busy |\n");
        text.append("|---|---|---|---|---|---|---|---|---|\n");
        for (Workload workload : conditions.workloads()) {
            for (Contender contender : Contender.values()) {
                Set<List<Usage>> told = new HashSet<>();
                for (Measure measure : workload.measures()) {
                    List<Usage> usages = usages(measure, contender);
                    // Two figures of one piece of work cost the same.
                    if (!usages.isEmpty() && told.add(usages)) {
                        text.append(cost(measure, contender, usages));
                    }
                }
            }
        }
        return text.toString();
    }

    private static String cost(Measure measure, Contender contender, List<Usage> usages) {
        return line(
                measure.title(),
                contender.title(),
                Figures.number(median(usages, usage -> perRow(usage, usage.clientCpuSeconds()))),
                Figures.number(median(usages, usage -> perRow(usage, usage.serverCpuSeconds()))),
                Figures.megabytes(median(usages, Usage::loopbackBytes)),
                Figures.megabytes(median(usages, Usage::diskBytes)),
                Figures.megabytes(median(usages, Usage::clientMemoryBytes)),
                Figures.megabytes(median(usages, Usage::serverMemoryBytes)),
                Figures.number(median(usages, Usage::otherCpus)));
    }

    private List<Usage> usages(Measure measure, Contender contender) {
        return results.samples(measure, contender).values().stream().map(Sample::usage).toList();
    }

    /** Microseconds; not a number for work without rows. */
    private static double perRow(Usage usage, double seconds) {
        return usage.rows() == 0 ? Double.NaN : seconds * MICROS / usage.rows();
    }

    private static double median(List<Usage> usages, ToDoubleFunction<Usage> part) {
        return Spread.of(usages.stream().map(part::applyAsDouble).toList()).median();
    }

    private String failures() {
        StringBuilder text = new StringBuilder();
        for (Outcome outcome : results.failures()) {
            text.append(
                    "\n**Failed**: %s of %s in round %d: %s\n"
                            .formatted(
                                    outcome.session().stage(),
                                    outcome.session().contender().title(),
                                    outcome.session().round(),
                                    outcome.failure().orElseThrow()));
        }
        return text.toString();
    }

    static String line(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }
}
