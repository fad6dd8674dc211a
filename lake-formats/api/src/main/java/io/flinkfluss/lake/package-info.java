/**
 * The lake as tiering and union read see it, whatever its format. {@link
 * io.flinkfluss.lake.LakeFormats#open} gives a {@link io.flinkfluss.lake.LakeCatalog}; the tiering
 * job writes a bucket's rows with a {@link io.flinkfluss.lake.LakeWriter} and publishes a round of
 * them with a {@link io.flinkfluss.lake.LakeCommitter}; union read pins a {@link
 * io.flinkfluss.lake.LakeSnapshot}, reads the lake's rows with a {@link
 * io.flinkfluss.lake.LakeReader} and everything from the snapshot's end offsets on from the log.
 *
 * <p>The lake is the truth: a snapshot carries the offsets it covers in its own properties ({@link
 * io.flinkfluss.lake.SnapshotProperties}, docs/formats/lake-snapshot.md), in the same atomic commit
 * as the rows. Errors are {@link io.flinkfluss.storage.api.error.StorageException}.
 *
 * <pre>{@code
 * try (LakeCatalog lake = LakeFormats.open(service.admin().lakeSettings())) {
 *     lake.createTable(table);
 *     LakeWriter writer = lake.newWriter(table, bucket);
 *     writer.write(ChangeKind.INSERT, row, 0, commitMillis);
 *     lake.committer(table).commit(1, Map.of(), Map.of(bucket, 1L), commitMillis, List.of(writer.complete()));
 * }
 * }</pre>
 */
package io.flinkfluss.lake;
