/** The units of reading and their checkpointed form. */
package io.flinkfluss.flink.source.split;
