/**
 * Writing: {@link io.flinkfluss.flink.sink.FlussSink} appends rows to a log table, or upserts and
 * deletes rows of a primary-key table. Every batch is idempotent and a checkpoint waits until all
 * rows are acknowledged, so after a failure no row is missing; upserts are applied once in effect,
 * appends at least once.
 *
 * <pre>{@code
 * FlussSink sink = FlussSink.builder("localhost:9123", new TablePath("fluss", "events")).build();
 * rows.sinkTo(sink);   // DataStream<RowData>
 * }</pre>
 */
package io.flinkfluss.flink.sink;
