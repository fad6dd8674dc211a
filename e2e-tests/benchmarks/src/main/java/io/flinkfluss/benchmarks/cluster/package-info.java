/**
 * The processes: each system's servers, and the drivers. Only this package starts any; all end when
 * their session ends.
 */
package io.flinkfluss.benchmarks.cluster;
