package io.flinkfluss.storage.api.testkit;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.KvBatchCursor;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.ArrowBatchCheck;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.ArrowProjection;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** One bucket of the in-memory service; always used under the service's lock. */
final class InMemoryBucket {
    private static final int ROWS_PER_SCAN_BATCH = 3;

    private final BucketId id;
    private final TableInfo table;
    private final Schema schema;
    private final RowCodec rowCodec;
    private final List<LogBatch> log = new ArrayList<>();

    /** Of the batches of the log, in their order. */
    private final List<List<ColumnStatistics>> statistics = new ArrayList<>();

    private final Map<Long, List<AppendResult>> results = new HashMap<>();
    private final Set<Runnable> listeners = new LinkedHashSet<>();
    private TreeMap<byte[], EncodedRow> rows = new TreeMap<>(Arrays::compareUnsigned);
    private long end;

    InMemoryBucket(BucketId id, TableInfo table) {
        this.id = id;
        this.table = table;
        this.schema = table.schema();
        this.rowCodec = new RowCodec(schema);
    }

    long end() {
        return end;
    }

    NavigableMap<byte[], EncodedRow> rows() {
        return rows;
    }

    List<Runnable> listeners() {
        return List.copyOf(listeners);
    }

    void requirePrimaryKey(boolean wanted) {
        if (table.hasPrimaryKey() != wanted) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    "table "
                            + table.path()
                            + (wanted
                                    ? " has no primary key; append to it and scan its log"
                                    : " has a primary key; upsert or delete its rows"));
        }
    }

    AppendResult append(long now, WriterStamp stamp, ArrowBatch batch) {
        requirePrimaryKey(false);
        requireSchema(batch.schemaId());
        ArrowBatchCheck.check(schema, batch);
        return once(
                stamp,
                () -> {
                    add(now, ByteBuffer.allocate(0), batch);
                    return new AppendResult(end - batch.rowCount(), false);
                });
    }

    AppendResult put(long now, WriterStamp stamp, KvBatch batch) {
        requireSchema(batch.schemaId());
        return once(
                stamp,
                () -> {
                    long base = end;
                    apply(now, batch);
                    return new AppendResult(base, false);
                });
    }

    private void requireSchema(int schemaId) {
        if (schemaId != schema.id()) {
            throw new StorageException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "a batch of schema "
                            + schemaId
                            + " does not fit table "
                            + table.path()
                            + " with schema "
                            + schema.id()
                            + "; read the table again");
        }
    }

    private AppendResult once(WriterStamp stamp, Supplier<AppendResult> work) {
        if (!stamp.isPresent()) {
            return work.get();
        }
        List<AppendResult> known = results.getOrDefault(stamp.writerId(), List.of());
        if (stamp.sequence() < known.size()) {
            return new AppendResult(known.get(stamp.sequence()).baseOffset(), true);
        }
        if (stamp.sequence() > known.size()) {
            throw new StorageException(
                    known.isEmpty() ? ErrorCode.UNKNOWN_WRITER : ErrorCode.OUT_OF_ORDER_SEQUENCE,
                    "writer "
                            + stamp.writerId()
                            + " sent batch "
                            + stamp.sequence()
                            + " to bucket "
                            + id
                            + ", which expects "
                            + known.size());
        }
        AppendResult result = work.get();
        results.computeIfAbsent(stamp.writerId(), key -> new ArrayList<>()).add(result);
        return result;
    }

    private void apply(long now, KvBatch batch) {
        TreeMap<byte[], EncodedRow> changed = new TreeMap<>(rows);
        ByteArrayOutputStream kinds = new ByteArrayOutputStream();
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBatchWriter changes =
                        new ArrowBatchWriter(schema, allocator, CompressionSettings.NONE)) {
            KvBatchCursor cursor = new KvBatchCursor(batch);
            while (cursor.next()) {
                byte[] row = cursor.row();
                EncodedRow old =
                        row == null
                                ? changed.remove(cursor.key())
                                : changed.put(cursor.key(), new EncodedRow(batch.schemaId(), row));
                if (old != null) {
                    changes.write(rowCodec.decode(old.bytes()));
                    kinds.write(
                            (row == null ? ChangeKind.DELETE : ChangeKind.UPDATE_BEFORE).number());
                }
                if (row != null) {
                    changes.write(rowCodec.decode(row));
                    kinds.write(
                            (old == null ? ChangeKind.INSERT : ChangeKind.UPDATE_AFTER).number());
                }
            }
            rows = changed;
            if (changes.rowCount() > 0) {
                add(now, ByteBuffer.wrap(kinds.toByteArray()), changes.finish());
            }
        }
    }

    private void add(long now, ByteBuffer kinds, ArrowBatch batch) {
        statistics.add(batch.statistics());
        log.add(
                new LogBatch(
                        id,
                        end,
                        batch.rowCount(),
                        now,
                        batch.schemaId(),
                        kinds,
                        batch.metadata(),
                        batch.body()));
        end += batch.rowCount();
    }

    long offset(OffsetSpec spec) {
        if (spec instanceof OffsetSpec.AtTime time) {
            return log.stream()
                    .filter(batch -> batch.commitMillis() >= time.millis())
                    .mapToLong(LogBatch::baseOffset)
                    .findFirst()
                    .orElse(end);
        }
        return spec instanceof OffsetSpec.Earliest ? 0 : end;
    }

    List<EncodedRow> rowsWithPrefix(byte[] prefix) {
        return rows.tailMap(prefix, true).entrySet().stream()
                .takeWhile(
                        entry ->
                                Arrays.mismatch(entry.getKey(), prefix) < 0
                                        || Arrays.mismatch(entry.getKey(), prefix) >= prefix.length)
                .map(Map.Entry::getValue)
                .toList();
    }

    InMemoryBatches.Cursor<LogBatch> scan(ScanRequest request) {
        return new LogCursor(request);
    }

    InMemoryBatches.Cursor<RowBatch> scan(
            KvScanRequest request, NavigableMap<byte[], EncodedRow> frozen) {
        return new RowCursor(request, frozen);
    }

    private final class LogCursor implements InMemoryBatches.Cursor<LogBatch> {
        private final ScanRequest request;
        private long position;
        private Runnable listener;

        LogCursor(ScanRequest request) {
            this.request = table.hasPrimaryKey() ? request.matching(LogFilter.NONE) : request;
            this.position = request.startOffset();
        }

        @Override
        public Optional<LogBatch> next() {
            long leftOut = 0;
            for (int i = 0; i < log.size() && !isFinished(); i++) {
                LogBatch batch = log.get(i);
                if (batch.nextOffset() <= position) {
                    continue;
                }
                position = batch.nextOffset();
                if (request.filter()
                        .mayMatch(batch.schemaId(), batch.rowCount(), statistics.get(i))) {
                    return Optional.of(projected(batch).after(leftOut));
                }
                leftOut += batch.rowCount();
            }
            return leftOut == 0
                    ? Optional.empty()
                    : Optional.of(LogBatch.ofLeftOut(id, position, leftOut));
        }

        private LogBatch projected(LogBatch batch) {
            ArrowProjection.Projected projected =
                    ArrowProjection.project(batch.metadata(), schema, request.columnIndexes());
            return new LogBatch(
                    id,
                    batch.baseOffset(),
                    batch.rowCount(),
                    batch.commitMillis(),
                    batch.schemaId(),
                    batch.kinds(),
                    projected.metadata(),
                    projected.body(batch.body()));
        }

        @Override
        public boolean isFinished() {
            return position >= request.endOffset();
        }

        @Override
        public void listen(Runnable value) {
            listener = value;
            listeners.add(value);
        }

        @Override
        public void close() {
            listeners.remove(listener);
        }
    }

    private final class RowCursor implements InMemoryBatches.Cursor<RowBatch> {
        private final KvScanRequest request;
        private final NavigableMap<byte[], EncodedRow> frozen;
        private byte[] afterKey;

        RowCursor(KvScanRequest request, NavigableMap<byte[], EncodedRow> frozen) {
            this.request = request;
            this.frozen = frozen;
            this.afterKey = request.afterKey();
        }

        private NavigableMap<byte[], EncodedRow> left() {
            return afterKey.length == 0 ? frozen : frozen.tailMap(afterKey, false);
        }

        @Override
        public Optional<RowBatch> next() {
            if (isFinished()) {
                return Optional.empty();
            }
            try (BufferAllocator allocator = new RootAllocator();
                    ArrowBatchWriter writer =
                            new ArrowBatchWriter(
                                    schema,
                                    request.columnIndexes(),
                                    allocator,
                                    CompressionSettings.NONE)) {
                for (Map.Entry<byte[], EncodedRow> entry : left().entrySet()) {
                    writer.write(rowCodec.decode(entry.getValue().bytes()));
                    afterKey = entry.getKey();
                    if (writer.rowCount() == ROWS_PER_SCAN_BATCH) {
                        break;
                    }
                }
                int count = writer.rowCount();
                ArrowBatch batch = writer.finish();
                return Optional.of(
                        new RowBatch(
                                id, count, schema.id(), afterKey, batch.metadata(), batch.body()));
            }
        }

        @Override
        public boolean isFinished() {
            return left().isEmpty();
        }

        @Override
        public void listen(Runnable listener) {}

        @Override
        public void close() {}
    }
}
