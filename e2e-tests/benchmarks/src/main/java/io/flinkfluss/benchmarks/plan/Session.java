package io.flinkfluss.benchmarks.plan;

/**
 * One contender's turn in a stage, with fresh servers and a fresh driver.
 *
 * @param round from 1
 */
public record Session(int round, Stage stage, Contender contender) {}
