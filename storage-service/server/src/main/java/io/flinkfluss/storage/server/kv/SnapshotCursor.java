package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/**
 * Reads one bucket of a snapshot. The iterator lives for one batch only: between calls it would
 * have to be guarded against the snapshot's release, and seeking costs little per batch.
 */
final class SnapshotCursor implements KvCursor {
    private static final int BATCH_ROWS = 8 * 1024;
    private static final int BATCH_BYTES = 1 << 20;

    private final KvSnapshotFolder snapshot;
    private final RocksDB database;
    private final KvScan scan;
    private final RowCodec codec;
    private final ArrowBatchWriter writer;
    private final byte[] end;

    /** The last key that was read as stored, or the one to begin after. */
    private byte[] after;

    private boolean finished;
    private boolean closed;

    SnapshotCursor(KvSnapshotFolder snapshot, RocksDB database, KvScan scan) {
        this.snapshot = snapshot;
        this.database = database;
        this.scan = scan;
        this.codec = new RowCodec(scan.schema());
        this.writer =
                new ArrowBatchWriter(
                        scan.schema(),
                        scan.request().columnIndexes(),
                        scan.allocator(),
                        scan.compression());
        this.after = StoreKeys.key(scan.request().bucket(), scan.request().afterKey());
        this.end = StoreKeys.after(StoreKeys.prefix(scan.request().bucket()));
    }

    @Override
    public Optional<RowBatch> next() {
        if (finished) {
            return Optional.empty();
        }
        return snapshot.whileOpen(this::readBatch).orElseThrow(snapshot::gone);
    }

    private Optional<RowBatch> readBatch() {
        try (Slice upper = new Slice(end);
                ReadOptions options =
                        new ReadOptions().setIterateUpperBound(upper).setFillCache(false);
                RocksIterator iterator = database.newIterator(options)) {
            iterator.seek(after);
            if (iterator.isValid() && Arrays.equals(iterator.key(), after)) {
                iterator.next();
            }
            int bytes = 0;
            while (iterator.isValid() && writer.rowCount() < BATCH_ROWS && bytes < BATCH_BYTES) {
                EncodedRow row = StoreKeys.row(ByteBuffer.wrap(iterator.value()));
                writer.write(codec.decode(row.bytes()));
                bytes += row.bytes().length;
                after = iterator.key();
                iterator.next();
            }
            iterator.status();
            finished = !iterator.isValid();
        } catch (RocksDBException e) {
            throw KvErrors.failed("read", snapshot.folder(), e);
        }
        return writer.rowCount() == 0 ? Optional.empty() : Optional.of(finish());
    }

    private RowBatch finish() {
        ArrowBatch batch = writer.finish();
        return new RowBatch(
                scan.request().bucket(),
                batch.rowCount(),
                batch.schemaId(),
                StoreKeys.rowKey(after),
                batch.metadata(),
                batch.body());
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            writer.close();
            snapshot.scanEnded();
        }
    }
}
