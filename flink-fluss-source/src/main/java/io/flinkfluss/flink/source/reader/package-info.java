/**
 * Reading splits. {@link io.flinkfluss.flink.source.reader.BucketScans} turns many pushed scans
 * into one stream of decoded batches and knows nothing of Flink's source machinery, so other
 * sources use it too:
 *
 * <pre>{@code
 * try (BatchDecoder decoder = new BatchDecoder(schema, new RowShape.Plain(), projection);
 *         BucketScans scans = new BucketScans(service, decoder)) {
 *     scans.addLog(new LogSplit(bucket, from, to));
 *     for (Optional<ScannedBatch> next = scans.next(); next.isPresent(); next = scans.next()) {
 *         …
 *     }
 * }
 * }</pre>
 */
package io.flinkfluss.flink.source.reader;
