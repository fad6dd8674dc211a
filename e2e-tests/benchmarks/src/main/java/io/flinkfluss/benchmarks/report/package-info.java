/** The comparison: ratios per round, the targets, and how a person and a program are told. */
package io.flinkfluss.benchmarks.report;
