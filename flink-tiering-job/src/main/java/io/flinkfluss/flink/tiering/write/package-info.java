/** Reads a range of a bucket's log and writes it to lake files, step by step; no Flink types. */
package io.flinkfluss.flink.tiering.write;
