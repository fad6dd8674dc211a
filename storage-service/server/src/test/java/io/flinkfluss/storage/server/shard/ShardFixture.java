package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.KvBatchBuilder;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.ArrowRow;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import io.flinkfluss.storage.server.kv.KvConfig;
import io.flinkfluss.storage.server.log.LogConfig;
import io.flinkfluss.storage.server.log.LogCursor;
import io.flinkfluss.storage.server.log.RemoteReads;
import io.flinkfluss.storage.server.replication.Position;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Tables, batches and a shard that is fed without a replicated log. */
final class ShardFixture implements AutoCloseable {
    static final Schema EVENTS_SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "id", DataType.of(TypeRoot.BIGINT).notNull()),
                            Column.of(2, "name", DataType.of(TypeRoot.STRING)),
                            Column.of(3, "amount", DataType.decimal(10, 2)),
                            Column.of(4, "at", DataType.of(TypeRoot.TIMESTAMP, 3))),
                    List.of());
    static final Schema ROWS_SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "k", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(2, "v", DataType.of(TypeRoot.STRING)),
                            Column.of(3, "n", DataType.of(TypeRoot.BIGINT))),
                    List.of("k"));
    static final TableInfo EVENTS = table(7, EVENTS_SCHEMA);
    static final TableInfo ROWS = table(8, ROWS_SCHEMA);
    static final BucketId EVENTS_0 = BucketId.of(EVENTS.id(), 0);
    static final BucketId ROWS_0 = BucketId.of(ROWS.id(), 0);
    static final BucketId ROWS_1 = BucketId.of(ROWS.id(), 1);
    static final RowCodec ROW_CODEC = new RowCodec(ROWS_SCHEMA);
    static final KeyCodec KEY_CODEC = new KeyCodec(ROWS_SCHEMA, new int[] {0});

    /** Small segments, so that tests have several. */
    static final ShardConfig SMALL =
            new ShardConfig(new LogConfig(4 * 1024, 4), 64 * 1024, 64 * 1024);

    static final KvConfig SMALL_MEMORY = new KvConfig(8 << 20, 4 << 20);
    static final long ARROW_BYTES = 64L << 20;

    final BufferAllocator allocator = new RootAllocator();
    final ShardResources resources;
    private final ArrowBatchWriter events =
            new ArrowBatchWriter(
                    EVENTS_SCHEMA, allocator, CompressionSettings.of(EVENTS.descriptor()));
    private final Path folder;
    private ShardState state;
    private long index = -1;
    long millis = 1_000_000;

    ShardFixture(Path folder) {
        this(folder, RemoteReads.NONE);
    }

    ShardFixture(Path folder, RemoteReads remoteReads) {
        this(folder, new ShardResources(SMALL_MEMORY, ARROW_BYTES, Runnable::run, remoteReads));
    }

    /**
     * @param resources closed with this
     */
    ShardFixture(Path folder, ShardResources resources) {
        this.folder = folder;
        this.resources = resources;
        state = ShardState.open(folder, SMALL, resources);
        index = state.restored().index();
    }

    static TableInfo table(long id, Schema schema) {
        TableDescriptor descriptor =
                new TableDescriptor(
                        schema, List.of(), schema.primaryKey(), 2, Map.of(), Map.of(), "");
        return new TableInfo(new TableId(id), new TablePath("fluss", "t" + id), descriptor, 1, 1);
    }

    Path folder() {
        return folder;
    }

    ShardState state() {
        return state;
    }

    ShardReads reads() {
        return state.reads();
    }

    /** Applies one entry. */
    List<ShardAnswer> apply(ShardCommand... commands) {
        return apply(List.of(commands));
    }

    List<ShardAnswer> apply(List<ShardCommand> commands) {
        index++;
        byte[] answers =
                state.apply(new Position(1, index), millis, ShardCommands.encode(commands));
        return ShardAnswers.decode(java.nio.ByteBuffer.wrap(answers));
    }

    /** Stops as after kill -9 and opens again; says the index of the last entry it still has. */
    long restart() {
        state.close();
        state = ShardState.open(folder, SMALL, resources);
        index = state.restored().index();
        return index;
    }

    /** The state was replaced by a checkpoint at this position. */
    void installed(Position position) {
        index = position.index();
    }

    void stop() {
        state.close();
    }

    void open() {
        state = ShardState.open(folder, SMALL, resources);
        index = state.restored().index();
    }

    ArrowBatch events(long firstId, int count) {
        for (int i = 0; i < count; i++) {
            long id = firstId + i;
            events.write(
                    GenericRow.of(
                            id,
                            id % 5 == 0 ? null : "name-" + id,
                            new java.math.BigDecimal(id + ".25"),
                            java.time.LocalDateTime.of(2026, 1, 1, 0, 0).plusSeconds(id)));
        }
        return events.finish();
    }

    static byte[] key(int k) {
        return KEY_CODEC.encodeKeyRow(GenericRow.of(k));
    }

    static byte[] row(int k, String v, long n) {
        return ROW_CODEC.encode(GenericRow.of(k, v, n));
    }

    /** Rows to upsert, alternately key and value text; a null text deletes. */
    static KvBatch rows(Object... keysAndValues) {
        KvBatchBuilder builder = new KvBatchBuilder(1);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            int k = (Integer) keysAndValues[i];
            if (keysAndValues[i + 1] == null) {
                builder.delete(key(k));
            } else {
                builder.upsert(key(k), row(k, (String) keysAndValues[i + 1], k * 10L));
            }
        }
        return builder.build();
    }

    /** Every committed batch from this offset. */
    List<LogBatch> read(BucketId bucket, long from, int... columns) {
        int[] wanted = columns.length == 0 ? null : columns;
        List<LogBatch> batches = new ArrayList<>();
        try (LogCursor cursor =
                reads().openLog(new ScanRequest(bucket, from, ScanRequest.UNBOUNDED, wanted))) {
            for (Optional<LogBatch> batch = cursor.next();
                    batch.isPresent();
                    batch = cursor.next()) {
                batches.add(batch.get());
            }
        }
        return batches;
    }

    /** The changelog of a primary-key bucket as text, such as {@code +I 1 a}. */
    List<String> changelog(BucketId bucket) {
        List<String> changes = new ArrayList<>();
        try (ArrowBatchReader reader = new ArrowBatchReader(ROWS_SCHEMA, null, allocator)) {
            for (LogBatch batch : read(bucket, 0)) {
                reader.read(batch.metadata(), batch.body());
                ArrowRow row = reader.rows();
                for (int i = 0; i < batch.rowCount(); i++) {
                    changes.add(sign(batch.kind(i)) + " " + text(row.setRow(i)));
                }
            }
        }
        return changes;
    }

    private static String sign(ChangeKind kind) {
        return switch (kind) {
            case INSERT -> "+I";
            case UPDATE_BEFORE -> "-U";
            case UPDATE_AFTER -> "+U";
            case DELETE -> "-D";
        };
    }

    static String text(RowView row) {
        return row.intAt(0) + " " + new String(row.bytesAt(1), StandardCharsets.UTF_8);
    }

    /** What the changelog says the current rows are. */
    Map<Integer, String> fold(BucketId bucket) {
        Map<Integer, String> rows = new TreeMap<>();
        for (String change : changelog(bucket)) {
            String row = change.substring(3);
            int key = Integer.parseInt(row.substring(0, row.indexOf(' ')));
            if (change.startsWith("+")) {
                rows.put(key, row);
            } else {
                rows.remove(key);
            }
        }
        return rows;
    }

    /** What the key-value state says the current rows are. */
    Map<Integer, String> current(BucketId bucket) {
        Map<Integer, String> rows = new TreeMap<>();
        for (EncodedRow row : reads().prefixLookup(bucket, new byte[0])) {
            RowView view = ROW_CODEC.decode(row.bytes());
            rows.put(view.intAt(0), text(view));
        }
        return rows;
    }

    @Override
    public void close() {
        state.close();
        resources.close();
        events.close();
        allocator.close();
    }
}
