/**
 * The driver of Apache Kafka: its client library, used as an application uses it. Only this module
 * sees that library.
 */
package io.flinkfluss.benchmarks.peers.kafka;
