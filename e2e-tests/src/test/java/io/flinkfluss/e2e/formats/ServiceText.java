package io.flinkfluss.e2e.formats;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Everything that a client can see of a storage service, as lines of text. */
final class ServiceText {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final StorageService service;
    private final List<Long> snapshots;
    private final List<String> lines = new ArrayList<>();

    /**
     * @param snapshots ids of snapshots of {@link SampleStory#KEYED}
     */
    ServiceText(StorageService service, List<Long> snapshots) {
        this.service = service;
        this.snapshots = snapshots;
    }

    List<String> lines() throws InterruptedException {
        for (String database : service.admin().databases()) {
            database(service.admin().database(database));
            for (String name : service.admin().tables(database)) {
                TableInfo table = service.admin().table(new TablePath(database, name));
                table(table);
                service.lakeProgress().latest(table.id()).ifPresent(this::tiering);
                for (BucketId bucket : table.buckets()) {
                    log(table, bucket);
                    if (table.hasPrimaryKey()) {
                        rows(table, bucket);
                    }
                }
            }
        }
        return lines;
    }

    private void database(DatabaseInfo database) {
        line("database " + database.name() + ", " + database.comment());
        line(database.properties() + " made at " + database.createdAtMillis());
    }

    private void table(TableInfo table) {
        TableDescriptor descriptor = table.descriptor();
        line("table " + table.id().value() + " " + table.path() + ", " + descriptor.comment());
        line("made " + table.createdAtMillis() + ", changed " + table.modifiedAtMillis());
        line("schema " + table.schema().id() + " with key " + table.schema().primaryKey());
        for (Column column : table.schema().columns()) {
            line(column.id() + " " + column.name() + " " + column.type() + ", " + column.comment());
        }
        line("partitioned by " + descriptor.partitionKeys());
        line(descriptor.bucketCount() + " buckets by " + descriptor.bucketKey());
        line("options " + descriptor.options() + " " + descriptor.customProperties());
    }

    private void tiering(LakeTiering tiering) {
        line("round " + tiering.round() + " is lake snapshot " + tiering.lakeSnapshotId());
        line("committed at " + tiering.committedAtMillis() + ", " + tiering.tieredUpToMillis());
        tiering.endOffsets()
                .forEach((bucket, end) -> line("bucket " + bucket.bucket() + " up to " + end));
    }

    private void log(TableInfo table, BucketId bucket) throws InterruptedException {
        long start = offset(bucket, new OffsetSpec.Earliest());
        long end = offset(bucket, new OffsetSpec.Latest());
        line("bucket " + bucket.bucket() + " has offsets " + start + " to " + end);
        if (start == end) {
            return;
        }
        ScanRequest request = new ScanRequest(bucket, start, end, null);
        long committed = 0;
        try (Batches<LogBatch> batches = service.logReader().scan(request)) {
            long next = start;
            while (next < end) {
                LogBatch batch = batches.poll(PATIENCE).orElseThrow();
                List<GenericRow> rows = TestBatches.rows(table.schema(), null, batch);
                for (int i = batch.firstRow(next); i < rows.size(); i++) {
                    line(
                            (batch.baseOffset() + i)
                                    + " "
                                    + batch.kind(i)
                                    + " "
                                    + batch.commitMillis()
                                    + " "
                                    + batch.schemaId()
                                    + " "
                                    + rows.get(i));
                }
                next = batch.nextOffset();
                committed = batch.commitMillis();
            }
        }
        line("first at " + committed + ": " + offset(bucket, new OffsetSpec.AtTime(committed)));
        projection(table, bucket, end);
    }

    /** Two columns of the last row: the buffers of one batch are taken apart. */
    private void projection(TableInfo table, BucketId bucket, long end)
            throws InterruptedException {
        int[] columns = {8, 3};
        ScanRequest request = new ScanRequest(bucket, end - 1, end, columns);
        try (Batches<LogBatch> batches = service.logReader().scan(request)) {
            LogBatch batch = batches.poll(PATIENCE).orElseThrow();
            List<GenericRow> rows = TestBatches.rows(table.schema(), columns, batch);
            line("columns 8 and 3: " + rows.get(batch.firstRow(end - 1)));
        }
    }

    /** Each snapshot, then each of its keys and each first column as it is now. */
    private void rows(TableInfo table, BucketId bucket) throws InterruptedException {
        List<GenericRow> known = new ArrayList<>();
        for (long snapshot : snapshots) {
            line("snapshot " + snapshot);
            KvScanRequest request = new KvScanRequest(bucket, snapshot, new byte[0], null);
            try (Batches<RowBatch> batches = service.kvReader().scan(request)) {
                while (!batches.isFinished()) {
                    Optional<RowBatch> batch = batches.poll(Duration.ofMillis(100));
                    batch.ifPresent(
                            read -> known.addAll(TestBatches.rows(table.schema(), null, read)));
                }
            }
        }
        known.forEach(this::line);
        List<byte[]> keys =
                known.stream().map(row -> TestBatches.key(table.schema(), row)).toList();
        line("now");
        for (Optional<EncodedRow> row : service.kvReader().lookup(bucket, keys).join()) {
            line(row.map(found -> text(table, found)).orElse("none"));
        }
        int[] first = {table.schema().keyIndexes()[0]};
        KeyCodec prefixes = new KeyCodec(table.schema(), first);
        for (GenericRow row : known) {
            byte[] prefix = prefixes.encode(row);
            List<EncodedRow> found = service.kvReader().prefixLookup(bucket, prefix).join();
            line("with " + row.valueAt(first[0]) + ": " + found.size());
            found.forEach(each -> line(text(table, each)));
        }
    }

    private static String text(TableInfo table, EncodedRow row) {
        return row.schemaId() + " " + TestBatches.row(table.schema(), row.bytes());
    }

    private long offset(BucketId bucket, OffsetSpec spec) {
        return service.logReader().offsets(List.of(bucket), spec).get(bucket);
    }

    private void line(Object text) {
        lines.add(String.valueOf(text).replace("\u0000", "\\0").replace("\n", "\\n"));
    }
}
