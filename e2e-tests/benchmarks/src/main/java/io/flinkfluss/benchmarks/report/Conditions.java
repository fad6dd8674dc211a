package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.plan.Sizes;
import io.flinkfluss.benchmarks.plan.SystemKind;
import io.flinkfluss.benchmarks.plan.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Under what the figures were taken.
 *
 * @param commit of this product; "unknown" outside of a clone
 * @param versions of the systems that took part
 * @param repetition the command that does the same again
 */
public record Conditions(
        Instant date,
        String commit,
        Machine machine,
        Map<SystemKind, String> versions,
        Sizes sizes,
        List<Workload> workloads,
        int rounds,
        String heap,
        String repetition) {}
