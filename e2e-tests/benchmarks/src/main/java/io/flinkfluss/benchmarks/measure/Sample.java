package io.flinkfluss.benchmarks.measure;

/**
 * One figure of one run.
 *
 * @param value in the measure's unit
 * @param usage of the work that the figure is from
 */
public record Sample(Measure measure, double value, Usage usage) {}
