package io.flinkfluss.storage.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.KvBatchBuilder;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What {@link io.flinkfluss.storage.api.KvWriter} and {@link io.flinkfluss.storage.api.KvReader}
 * promise.
 */
abstract class KvContract extends LogContract {
    @Test
    public void changesHaveTheirKindsAndOffsets() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        BucketId bucket = bucket(table, 0);
        assertThat(put(bucket, upserts(keyed("a", 1, "one"), keyed("b", 1, null))))
                .isEqualTo(new AppendResult(0, false));
        assertThat(put(bucket, upserts(keyed("a", 1, "two"))))
                .isEqualTo(new AppendResult(2, false));
        assertThat(put(bucket, deletes(keyed("b", 1, null)))).isEqualTo(new AppendResult(4, false));
        assertThat(changes(table, 0, 0, 5, null))
                .containsExactly(
                        new Change(0, ChangeKind.INSERT, keyed("a", 1, "one")),
                        new Change(1, ChangeKind.INSERT, keyed("b", 1, null)),
                        new Change(2, ChangeKind.UPDATE_BEFORE, keyed("a", 1, "one")),
                        new Change(3, ChangeKind.UPDATE_AFTER, keyed("a", 1, "two")),
                        new Change(4, ChangeKind.DELETE, keyed("b", 1, null)));
        assertThat(changes(table, 0, 2, 4, new int[] {0}))
                .containsExactly(
                        new Change(2, ChangeKind.UPDATE_BEFORE, GenericRow.of("one")),
                        new Change(3, ChangeKind.UPDATE_AFTER, GenericRow.of("two")));
    }

    @Test
    public void entriesOfABatchAreAppliedInOrder() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        RowCodec rows = new RowCodec(KEYED_SCHEMA);
        KvBatchBuilder builder = new KvBatchBuilder(KEYED_SCHEMA.id());
        byte[] key = TestBatches.key(KEYED_SCHEMA, keyed("a", 1, null));
        builder.upsert(key, rows.encode(keyed("a", 1, "one")));
        builder.upsert(key, rows.encode(keyed("a", 1, "two")));
        builder.delete(key);
        builder.upsert(key, rows.encode(keyed("a", 1, "three")));
        put(bucket(table, 0), builder.build());
        assertThat(changes(table, 0, 0, 5, new int[] {0}))
                .containsExactly(
                        new Change(0, ChangeKind.INSERT, GenericRow.of("one")),
                        new Change(1, ChangeKind.UPDATE_BEFORE, GenericRow.of("one")),
                        new Change(2, ChangeKind.UPDATE_AFTER, GenericRow.of("two")),
                        new Change(3, ChangeKind.DELETE, GenericRow.of("two")),
                        new Change(4, ChangeKind.INSERT, GenericRow.of("three")));
    }

    @Test
    public void deletingAMissingKeyChangesNothing() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        put(bucket(table, 0), upserts(keyed("a", 1, "x")));
        assertThat(put(bucket(table, 0), deletes(keyed("z", 9, null))))
                .isEqualTo(new AppendResult(1, false));
        assertThat(service().logReader().offsets(table.buckets(), new OffsetSpec.Latest()))
                .containsEntry(bucket(table, 0), 1L);
    }

    @Test
    public void writingAnEqualRowIsAnUpdate() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        put(bucket(table, 0), upserts(keyed("a", 1, "x")));
        put(bucket(table, 0), upserts(keyed("a", 1, "x")));
        assertThat(changes(table, 0, 0, 3, null))
                .extracting(Change::kind)
                .containsExactly(
                        ChangeKind.INSERT, ChangeKind.UPDATE_BEFORE, ChangeKind.UPDATE_AFTER);
    }

    @Test
    public void aPutSentAgainIsAppliedOnce() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        WriterStamp stamp = new WriterStamp(service().logAppender().newWriterId(), 0);
        KvBatch batch = upserts(keyed("a", 1, "x"));
        assertThat(get(service().kvWriter().put(bucket(table, 0), stamp, batch)))
                .isEqualTo(new AppendResult(0, false));
        assertThat(get(service().kvWriter().put(bucket(table, 0), stamp, batch)))
                .isEqualTo(new AppendResult(0, true));
        assertThat(changes(table, 0, 0, 1, null))
                .containsExactly(new Change(0, ChangeKind.INSERT, keyed("a", 1, "x")));
        assertThat(service().logReader().offsets(table.buckets(), new OffsetSpec.Latest()))
                .containsEntry(bucket(table, 0), 1L);
    }

    @Test
    public void lookupsAnswerInTheOrderOfTheKeys() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        put(
                bucket(table, 0),
                upserts(keyed("a", 1, "a1"), keyed("a", 2, null), keyed("b", 1, "b1")));
        List<byte[]> keys =
                List.of(
                        TestBatches.key(KEYED_SCHEMA, keyed("b", 1, null)),
                        TestBatches.key(KEYED_SCHEMA, keyed("missing", 1, null)),
                        TestBatches.key(KEYED_SCHEMA, keyed("a", 2, null)));
        List<Optional<EncodedRow>> rows = get(service().kvReader().lookup(bucket(table, 0), keys));
        assertThat(rows).hasSize(3);
        assertThat(decode(rows.get(0).orElseThrow())).isEqualTo(keyed("b", 1, "b1"));
        assertThat(rows.get(1)).isEmpty();
        assertThat(decode(rows.get(2).orElseThrow())).isEqualTo(keyed("a", 2, null));
        assertThat(get(service().kvReader().lookup(bucket(table, 1), keys)))
                .containsOnly(Optional.empty());
        put(bucket(table, 0), deletes(keyed("b", 1, null)));
        assertThat(get(service().kvReader().lookup(bucket(table, 0), keys.subList(0, 1))))
                .containsExactly(Optional.empty());
    }

    private static GenericRow decode(EncodedRow row) {
        assertThat(row.schemaId()).isEqualTo(KEYED_SCHEMA.id());
        return TestBatches.row(KEYED_SCHEMA, row.bytes());
    }

    @Test
    public void aPrefixFindsItsKeysInKeyOrder() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        put(
                bucket(table, 0),
                upserts(
                        keyed("a", 2, "2"),
                        keyed("ab", 1, "other"),
                        keyed("a", -1, "-1"),
                        keyed("a", 10, "10"),
                        keyed("A", 1, "other")));
        KeyCodec codec = new KeyCodec(KEYED_SCHEMA, KEYED_SCHEMA.keyIndexes());
        byte[] prefix = codec.encodeKeyPrefix(GenericRow.of("a"), 1);
        List<EncodedRow> found = get(service().kvReader().prefixLookup(bucket(table, 0), prefix));
        assertThat(found.stream().map(KvContract::decode))
                .containsExactly(keyed("a", -1, "-1"), keyed("a", 2, "2"), keyed("a", 10, "10"));
        byte[] missing = codec.encodeKeyPrefix(GenericRow.of("b"), 1);
        assertThat(get(service().kvReader().prefixLookup(bucket(table, 0), missing))).isEmpty();
    }

    /** Field case O-58: no key is taken for another that its text begins like. */
    @Test
    public void aPrefixIsWholeColumnsAndNotTheBeginningOfAText() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        put(
                bucket(table, 0),
                upserts(
                        keyed("Rome", 1, "A"),
                        keyed("Bratislava", 2, "Hlavna ulica"),
                        keyed("Bratislava", 3, "Dlha"),
                        keyed("Bratislav", 4, "x")));
        KeyCodec codec = new KeyCodec(KEYED_SCHEMA, KEYED_SCHEMA.keyIndexes());
        Map<String, Integer> expected = Map.of("Bratislava", 2, "Rome", 1, "Bratislav", 1, "", 0);
        for (Map.Entry<String, Integer> each : expected.entrySet()) {
            byte[] prefix = codec.encodeKeyPrefix(GenericRow.of(each.getKey()), 1);
            assertThat(get(service().kvReader().prefixLookup(bucket(table, 0), prefix)))
                    .as("rows of '%s'", each.getKey())
                    .hasSize(each.getValue());
        }
    }

    /** Field case O-68: whoever takes single batches still gets whole updates. */
    @Test
    public void bothSidesOfAnUpdateAreInOneBatch() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        for (int round = 0; round < 5; round++) {
            for (int bucket = 0; bucket < 2; bucket++) {
                for (int day = 1; day <= 5; day++) {
                    put(bucket(table, bucket), upserts(keyed("c", day, "round " + round)));
                }
            }
        }
        for (int bucket = 0; bucket < 2; bucket++) {
            int updates = 0;
            for (LogBatch batch :
                    all(
                            service()
                                    .logReader()
                                    .scan(new ScanRequest(bucket(table, bucket), 0, 45, null)))) {
                List<GenericRow> rows = TestBatches.rows(KEYED_SCHEMA, null, batch);
                for (int i = 0; i < rows.size(); i++) {
                    if (batch.kind(i) == ChangeKind.UPDATE_BEFORE) {
                        assertThat(batch.kind(i + 1)).isEqualTo(ChangeKind.UPDATE_AFTER);
                        assertThat(rows.get(i + 1).intAt(2)).isEqualTo(rows.get(i).intAt(2));
                        updates++;
                    }
                }
            }
            assertThat(updates).isEqualTo(20);
        }
    }

    @Test
    public void aSnapshotEqualsTheFoldOfTheChangelog() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        Random random = new Random(42);
        for (int step = 0; step < 60; step++) {
            GenericRow row = keyed("c" + random.nextInt(5), random.nextInt(4), "step " + step);
            put(
                    bucket(table, random.nextInt(2)),
                    random.nextInt(3) == 0 ? deletes(row) : upserts(row));
        }
        KvSnapshot snapshot = service().kvReader().snapshot(table.id());
        // Later writes are not in it.
        put(bucket(table, 0), upserts(keyed("later", 1, "x")));
        put(bucket(table, 1), deletes(keyed("c1", 1, "x")));
        for (int number = 0; number < 2; number++) {
            BucketId bucket = bucket(table, number);
            TreeMap<byte[], GenericRow> folded = new TreeMap<>(Arrays::compareUnsigned);
            for (Change change :
                    changes(table, number, 0, snapshot.logOffsets().get(bucket), null)) {
                byte[] key = TestBatches.key(KEYED_SCHEMA, change.row());
                if (change.kind() == ChangeKind.DELETE) {
                    assertThat(folded.remove(key)).isEqualTo(change.row());
                } else if (change.kind() == ChangeKind.UPDATE_BEFORE) {
                    assertThat(folded.get(key)).isEqualTo(change.row());
                } else {
                    folded.put(key, change.row());
                }
            }
            assertThat(snapshotRows(snapshot, bucket, new byte[0], null))
                    .containsExactlyElementsOf(folded.values());
            assertThat(snapshot.rowCounts().get(bucket)).isIn(-1L, (long) folded.size());
        }
        service().kvReader().release(snapshot);
    }

    private List<GenericRow> snapshotRows(
            KvSnapshot snapshot, BucketId bucket, byte[] afterKey, int[] columns) throws Exception {
        List<GenericRow> rows = new ArrayList<>();
        KvScanRequest request = new KvScanRequest(bucket, snapshot.snapshotId(), afterKey, columns);
        for (RowBatch batch : all(service().kvReader().scan(request))) {
            List<GenericRow> inBatch = TestBatches.rows(KEYED_SCHEMA, columns, batch);
            assertThat(inBatch).hasSize(batch.rowCount());
            if (columns == null) {
                assertThat(batch.lastKey())
                        .isEqualTo(TestBatches.key(KEYED_SCHEMA, inBatch.get(inBatch.size() - 1)));
            }
            rows.addAll(inBatch);
        }
        return rows;
    }

    @Test
    public void aSnapshotScanResumesAfterAKeyAndProjects() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        BucketId bucket = bucket(table, 0);
        for (int day = 0; day < 10; day++) {
            put(bucket, upserts(keyed("a", day, "n" + day)));
        }
        KvSnapshot snapshot = service().kvReader().snapshot(table.id());
        assertThat(snapshot.logOffsets()).isEqualTo(Map.of(bucket, 10L, bucket(table, 1), 0L));
        byte[] after = TestBatches.key(KEYED_SCHEMA, keyed("a", 6, null));
        assertThat(snapshotRows(snapshot, bucket, after, new int[] {2, 0}))
                .containsExactly(
                        GenericRow.of(7, "n7"), GenericRow.of(8, "n8"), GenericRow.of(9, "n9"));
        assertThat(snapshotRows(snapshot, bucket(table, 1), new byte[0], null)).isEmpty();
        service().kvReader().release(snapshot);
        service().kvReader().release(snapshot);
        assertCode(
                ErrorCode.SNAPSHOT_NOT_FOUND,
                () -> snapshotRows(snapshot, bucket, new byte[0], null));
    }

    @Test
    public void aKeyedBatchThatDoesNotFitIsRefusedWhole() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        KvBatchBuilder builder = new KvBatchBuilder(KEYED_SCHEMA.id() + 1);
        builder.delete(new byte[] {1});
        assertCode(ErrorCode.SCHEMA_MISMATCH, () -> put(bucket(table, 0), builder.build()));
        assertCode(
                ErrorCode.UNSUPPORTED,
                () -> service().kvReader().snapshot(newTable(LOG_SCHEMA).id()));
    }
}
