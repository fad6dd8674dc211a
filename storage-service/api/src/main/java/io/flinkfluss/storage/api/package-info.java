/**
 * The storage service as seen by its callers: one small interface per role. {@link
 * io.flinkfluss.storage.api.TableAdmin} makes tables; {@link io.flinkfluss.storage.api.LogAppender}
 * and {@link io.flinkfluss.storage.api.KvWriter} write; {@link io.flinkfluss.storage.api.LogReader}
 * and {@link io.flinkfluss.storage.api.KvReader} read; {@link
 * io.flinkfluss.storage.api.LakeProgress} remembers what the lake holds. The server implements them
 * on its shards, the client over Arrow Flight, and the test kit in memory; {@code
 * StorageServiceContract} holds all three to the same behaviour.
 *
 * <p>A first program, given a {@code StorageService service}:
 *
 * <pre>{@code
 * TableInfo table = service.admin().createTable(new TablePath("fluss", "events"), descriptor);
 * BucketId bucket = table.buckets().get(0);
 * service.logAppender().append(bucket, WriterStamp.NONE, batch).join();
 * try (Batches<LogBatch> rows = service.logReader().scan(new ScanRequest(bucket, 0, ScanRequest.UNBOUNDED, null))) {
 *     rows.poll(Duration.ofSeconds(5)).ifPresent(read -> …);
 * }
 * }</pre>
 */
package io.flinkfluss.storage.api;
