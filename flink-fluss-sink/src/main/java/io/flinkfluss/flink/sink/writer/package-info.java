/** What a parallel subtask of the sink does with its rows. */
package io.flinkfluss.flink.sink.writer;
