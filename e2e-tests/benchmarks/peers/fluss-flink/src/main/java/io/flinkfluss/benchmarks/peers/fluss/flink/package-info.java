/** Apache Fluss as Flink's users meet it. */
package io.flinkfluss.benchmarks.peers.fluss.flink;
