/** What is measured, and the readings of processes, disks and the loopback network beside it. */
package io.flinkfluss.benchmarks.measure;
