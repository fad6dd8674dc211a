/**
 * Reads the splits of a union on the task's thread: lake files by the lake's reader, log ranges as
 * pushed batches, and primary-key tables merged. {@link
 * io.flinkfluss.flink.unionread.reader.UnionReader} is the entry.
 */
package io.flinkfluss.flink.unionread.reader;
