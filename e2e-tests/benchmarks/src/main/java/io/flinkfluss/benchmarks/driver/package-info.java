/**
 * What runs in a driver's process: the loop that obeys the harness, the workloads, and the roles
 * that a system's client has to fill. Nothing here depends on any system.
 */
package io.flinkfluss.benchmarks.driver;
