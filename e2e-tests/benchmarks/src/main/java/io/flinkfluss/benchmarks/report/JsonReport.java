package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.measure.Curve;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.plan.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything for programs: each figure of each round with what it took, and the comparisons. */
public final class JsonReport {
    private static final int VERSION = 1;

    private JsonReport() {}

    public static String text(Conditions conditions, Results results) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("version", VERSION);
        report.put("date", conditions.date());
        report.put("commit", conditions.commit());
        report.put("machine", machine(conditions.machine()));
        report.put("versions", conditions.versions());
        report.put("heap", conditions.heap());
        report.put("rounds", conditions.rounds());
        report.put("again", conditions.repetition());
        report.put("comparisons", comparisons(conditions, results));
        report.put("growth", Growth.all(results).stream().map(JsonReport::growth).toList());
        report.put("sessions", results.outcomes().stream().map(JsonReport::session).toList());
        return Json.text(report);
    }

    private static Map<String, Object> machine(Machine machine) {
        Map<String, Object> text = new LinkedHashMap<>();
        text.put("processor", machine.processor());
        text.put("processors", machine.processors());
        text.put("memory_gib", machine.memoryGibibytes());
        text.put("system", machine.system());
        text.put("java", machine.java());
        text.put("file_system", machine.fileSystem());
        text.put("load_before", machine.loadBefore());
        return text;
    }

    private static List<Object> comparisons(Conditions conditions, Results results) {
        List<Object> all = new ArrayList<>();
        for (Workload workload : conditions.workloads()) {
            for (Measure measure : workload.measures()) {
                for (Comparison comparison : results.comparisons(measure)) {
                    all.add(comparison(workload, comparison));
                }
            }
        }
        return all;
    }

    private static Map<String, Object> comparison(Workload workload, Comparison comparison) {
        Map<String, Object> text = new LinkedHashMap<>();
        text.put("workload", workload);
        text.put("measure", comparison.measure());
        text.put("unit", comparison.measure().unit());
        text.put("peer", comparison.peer());
        text.put("rounds", comparison.rounds());
        text.put("product", spread(comparison.product()));
        text.put("other", spread(comparison.other()));
        text.put("ratio", spread(comparison.ratio()));
        comparison.target().ifPresent(target -> text.put("target", target.bound()));
        comparison.isMet().ifPresent(met -> text.put("met", met));
        return text;
    }

    private static Map<String, Object> growth(Growth growth) {
        Map<String, Object> text = new LinkedHashMap<>();
        text.put("curve", growth.curve());
        text.put("scales", Curve.SCALES);
        text.put("costs", growth.costs().stream().map(JsonReport::spread).toList());
        text.put(
                "rows_per_second",
                growth.rowsPerSecond().stream().map(JsonReport::spread).toList());
        text.put("ratio", spread(growth.ratio()));
        text.put("target", Target.GROWTH.bound());
        text.put("met", growth.isMet());
        return text;
    }

    private static Map<String, Object> spread(Spread spread) {
        Map<String, Object> text = new LinkedHashMap<>();
        text.put("median", spread.median());
        text.put("min", spread.min());
        text.put("max", spread.max());
        return text;
    }

    private static Map<String, Object> session(Outcome outcome) {
        Map<String, Object> text = new LinkedHashMap<>();
        text.put("round", outcome.session().round());
        text.put("stage", outcome.session().stage());
        text.put("contender", outcome.session().contender());
        outcome.failure().ifPresent(failure -> text.put("failure", failure));
        text.put("samples", outcome.samples().stream().map(JsonReport::sample).toList());
        return text;
    }

    private static Map<String, Object> sample(Sample sample) {
        Usage usage = sample.usage();
        Map<String, Object> text = new LinkedHashMap<>();
        text.put("measure", sample.measure());
        text.put("value", sample.value());
        text.put("rows", usage.rows());
        text.put("seconds", usage.seconds());
        text.put("client_cpu_seconds", usage.clientCpuSeconds());
        text.put("server_cpu_seconds", usage.serverCpuSeconds());
        text.put("other_cpus", usage.otherCpus());
        text.put("loopback_bytes", usage.loopbackBytes());
        text.put("disk_bytes", usage.diskBytes());
        text.put("client_memory_bytes", usage.clientMemoryBytes());
        text.put("server_memory_bytes", usage.serverMemoryBytes());
        return text;
    }
}
