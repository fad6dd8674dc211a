/**
 * The union read: a lake-enabled table's two tiers as one Flink source, each row exactly once.
 *
 * <p>The enumerator pins the newest lake snapshot of tiering and reads the seam from it: per bucket
 * the first offset that the snapshot does not hold. Then, in this order, the ends of the logs.
 * {@code plan} turns that into splits, {@code reader} reads them, {@code merge} joins the tiers of
 * primary-key tables by key. The lake is the truth: the storage service's own record of progress is
 * not asked.
 *
 * <p>Choices, and what was rejected:
 *
 * <ul>
 *   <li>The reader runs on the task's thread and takes pushed batches without waiting; fetcher
 *       threads with a hand-over queue would cost a copy of the columnar rows.
 *   <li>A table that was never tiered has its seam at 0: retention never deletes what is not in the
 *       lake yet, so the log alone is complete. A second code path over key-value state would save
 *       time only before the first round.
 *   <li>A streaming read has one split per bucket (lake files, then the log), so that order within
 *       a bucket needs no message between readers.
 * </ul>
 *
 * <p>A first program, given a table and the settings of its lake:
 *
 * <pre>{@code
 * UnionScan scan = UnionScan.of(table, connection, lakeSettings, new int[] {0, 1}, Tiers.BOUNDED);
 * environment.fromSource(new UnionSource(scan), WatermarkStrategy.noWatermarks(), "flights");
 * }</pre>
 */
package io.flinkfluss.flink.unionread;
