package io.flinkfluss.e2e.formats;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.record.AllTypes;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.TestBatches;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * What is written to a sample data directory, and again by nobody else: a table of every kind and
 * compression with every type and NULLs, updates and deletes, stamped batches, snapshots, lake
 * progress, dropped tables. Deterministic but for the ids the service gives out.
 */
final class SampleStory {
    /** Options that keep rows for ever: the sample is read for years. */
    private static final Map<String, String> KEPT = Map.of("table.log.ttl", "0 s");

    /** In how many parts it is told; the server is stopped or killed after each. */
    static final int CHAPTERS = 3;

    /** Batches of the stamped writer per bucket and chapter; more than the service remembers. */
    static final int BATCHES = 5;

    static final List<String> COMPRESSIONS = List.of("NONE", "LZ4_FRAME", "ZSTD");
    static final TablePath KEYED = new TablePath("fluss", "keyed");
    static final TablePath DROPPED = new TablePath("fluss", "dropped");

    private final StorageService service;
    private final List<String> acknowledged;
    private final long writer;
    private final int chapter;

    /**
     * @param chapter 0, 1, … of which each follows the former
     * @param acknowledged gets a line per stamped batch: bucket, sequence, base offset
     */
    SampleStory(StorageService service, long writer, int chapter, List<String> acknowledged) {
        this.service = service;
        this.writer = writer;
        this.chapter = chapter;
        this.acknowledged = acknowledged;
    }

    static TablePath logTable(String compression) {
        return new TablePath("fluss", "log_" + compression.toLowerCase(java.util.Locale.ROOT));
    }

    /** The chapter's snapshot, whose id only the caller knows from now on. */
    KvSnapshot write() {
        if (chapter == 0) {
            createTables();
        }
        for (String compression : COMPRESSIONS) {
            TableInfo table = service.admin().table(logTable(compression));
            table.buckets().forEach(bucket -> appendTo(table, bucket));
        }
        TableInfo keyed = service.admin().table(KEYED);
        keyed.buckets().forEach(bucket -> changeRows(keyed, bucket));
        KvSnapshot snapshot = service.kvReader().snapshot(keyed.id());
        // What comes after the snapshot must not be in it.
        BucketId first = keyed.buckets().get(0);
        service.kvWriter()
                .put(first, WriterStamp.NONE, upserts(keyed, row(1_000 + chapter, "late", 1)))
                .join();
        register(service.admin().table(logTable("ZSTD")));
        dropOne();
        return snapshot;
    }

    private void createTables() {
        service.admin().createDatabase("archive", "old things", Map.of("owner", "ops"));
        for (String compression : COMPRESSIONS) {
            Map<String, String> options = new TreeMap<>(KEPT);
            options.put("table.log.arrow.compression.type", compression);
            create(logTable(compression), AllTypes.SCHEMA, List.of(), 2, options);
        }
        create(KEYED, keyedSchema(), List.of("id"), 3, KEPT);
        Schema plain =
                new Schema(
                        1,
                        List.of(
                                new Column(3, "a", DataType.of(TypeRoot.INT).notNull(), "first"),
                                new Column(9, "b", DataType.of(TypeRoot.STRING), "")),
                        List.of());
        service.admin()
                .createTable(
                        new TablePath("archive", "never_written"),
                        new TableDescriptor(
                                plain,
                                List.of(),
                                List.of("a"),
                                4,
                                KEPT,
                                Map.of("schema.0.expr", "`a` + 1"),
                                "a comment, zoë"));
    }

    private TableInfo create(
            TablePath path,
            Schema schema,
            List<String> bucketKey,
            int buckets,
            Map<String, String> options) {
        return service.admin()
                .createTable(
                        path,
                        new TableDescriptor(
                                schema, List.of(), bucketKey, buckets, options, Map.of(), ""));
    }

    private void appendTo(TableInfo table, BucketId bucket) {
        ArrowBatch unstamped = arrow(table, AllTypes.rows());
        service.logAppender().append(bucket, WriterStamp.NONE, unstamped).join();
        for (int i = 0; i < BATCHES; i++) {
            WriterStamp stamp = new WriterStamp(writer, chapter * BATCHES + i);
            acknowledge(bucket, stamp, append(service, table, bucket, stamp));
        }
    }

    /** The batch that belongs to a stamp; the same whenever it is sent. */
    static AppendResult append(
            StorageService service, TableInfo table, BucketId bucket, WriterStamp stamp) {
        List<GenericRow> rows = new ArrayList<>();
        for (int i = 0; i <= stamp.sequence() % 2; i++) {
            rows.addAll(AllTypes.rows());
        }
        return service.logAppender().append(bucket, stamp, arrow(table, rows)).join();
    }

    private void changeRows(TableInfo table, BucketId bucket) {
        for (int i = 0; i < BATCHES; i++) {
            WriterStamp stamp = new WriterStamp(writer, chapter * BATCHES + i);
            acknowledge(bucket, stamp, put(service, table, bucket, stamp));
        }
        KvBatch deletes =
                TestBatches.deletes(
                        table.schema(),
                        row(id(bucket, chapter), "a", 0),
                        row(id(bucket, 99), "never there", 0));
        service.kvWriter().put(bucket, WriterStamp.NONE, deletes).join();
    }

    /** Likewise for the table with a primary key: new keys, and updates of some of those before. */
    static AppendResult put(
            StorageService service, TableInfo table, BucketId bucket, WriterStamp stamp) {
        int sequence = stamp.sequence();
        return service.kvWriter()
                .put(
                        bucket,
                        stamp,
                        upserts(
                                table,
                                row(id(bucket, sequence), "a", sequence),
                                row(id(bucket, sequence), "b\u0000", sequence + 1),
                                row(id(bucket, sequence / 2), "a", sequence + 2)))
                .join();
    }

    private void acknowledge(BucketId bucket, WriterStamp stamp, AppendResult result) {
        acknowledged.add(line(bucket, stamp.sequence(), result.baseOffset()));
    }

    static String line(BucketId bucket, int sequence, long baseOffset) {
        return bucket.table().value() + " " + bucket.bucket() + " " + sequence + " " + baseOffset;
    }

    private void register(TableInfo table) {
        Map<BucketId, Long> ends = new TreeMap<>();
        table.buckets().forEach(bucket -> ends.put(bucket, 3L + chapter));
        service.lakeProgress()
                .register(
                        new LakeTiering(
                                table.id(),
                                chapter + 1,
                                8_000_000_000_000_000_000L + chapter,
                                ends,
                                1_700_000_000_000L + chapter,
                                -1));
    }

    /** A table with rows that is gone when the next chapter begins. */
    private void dropOne() {
        TableInfo table = create(DROPPED, AllTypes.SCHEMA, List.of(), 1, KEPT);
        service.logAppender()
                .append(table.buckets().get(0), WriterStamp.NONE, arrow(table, AllTypes.rows()))
                .join();
        service.admin().dropTable(DROPPED);
    }

    /** Buckets have keys of their own, so each can be changed without asking for the hash. */
    private static int id(BucketId bucket, int number) {
        return 10_000 * bucket.bucket() + number;
    }

    private static GenericRow row(int id, String name, int values) {
        GenericRow typed = AllTypes.rows().get(values % AllTypes.rows().size());
        Object[] all = new Object[2 + typed.size()];
        all[0] = id;
        all[1] = name;
        for (int i = 0; i < typed.size(); i++) {
            all[2 + i] = typed.valueAt(i);
        }
        return GenericRow.of(all);
    }

    private static KvBatch upserts(TableInfo table, GenericRow... rows) {
        return TestBatches.upserts(table.schema(), rows);
    }

    private static ArrowBatch arrow(TableInfo table, List<GenericRow> rows) {
        CompressionSettings compression = CompressionSettings.of(table.descriptor());
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBatchWriter writer =
                        new ArrowBatchWriter(table.schema(), allocator, compression)) {
            rows.forEach(writer::write);
            return writer.finish();
        }
    }

    private static Schema keyedSchema() {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.of(50, "id", DataType.of(TypeRoot.INT).notNull()));
        columns.add(Column.of(51, "name", DataType.of(TypeRoot.STRING).notNull()));
        columns.addAll(AllTypes.SCHEMA.columns());
        return new Schema(1, columns, List.of("id", "name"));
    }
}
