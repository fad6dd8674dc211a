/**
 * What runs in the process of a driver that talks Flink SQL: tables that make the benchmarks' rows
 * and add up what comes, and the workloads. A {@link io.flinkfluss.benchmarks.flink.SqlSystem} is
 * all that differs between systems.
 */
package io.flinkfluss.benchmarks.flink;
