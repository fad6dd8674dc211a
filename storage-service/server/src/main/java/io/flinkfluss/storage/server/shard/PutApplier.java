package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.server.kv.KvChanges;
import io.flinkfluss.storage.server.kv.KvStore;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Turns upserts and deletes into changes of the key-value state and batches of the changelog.
 * Within an entry each batch sees what the earlier ones changed. One thread.
 */
final class PutApplier implements AutoCloseable {
    private static final ByteBuffer ALL_INSERT = ByteBuffer.allocate(0);

    private final KvStore store;
    private final ChangelogWriters writers;

    /** Of the present entry. */
    private final Map<BucketId, RowOverlay> overlays = new HashMap<>();

    private KvChanges changes;

    /**
     * What a batch did.
     *
     * @param kinds of the changelog's rows, empty when all are INSERT
     */
    record Changelog(ArrowBatch batch, ByteBuffer kinds, int addedRows) {}

    PutApplier(KvStore store, BufferAllocator allocator) {
        this.store = store;
        this.changes = store.changes();
        this.writers = new ChangelogWriters(allocator);
    }

    /** Reads the rows that the batch will change. */
    void load(BucketId bucket, PutBatch batch) {
        RowOverlay overlay = overlays.computeIfAbsent(bucket, RowOverlay::new);
        batch.slots(overlay.slots(batch.keys(), store));
    }

    /**
     * Changes the loaded rows; empty when nothing changed. {@link #commit} must follow.
     *
     * @throws StorageException when the batch is bad; then nothing was changed
     */
    Optional<Changelog> change(TableState table, PutBatch batch) {
        Changing changing = new Changing(table, writers.of(table), 2 * batch.keys().size());
        boolean complete = false;
        try {
            for (int i = 0; i < batch.slots().size(); i++) {
                changing.change(batch.slots().get(i), batch.rows().get(i), batch.schemaId());
            }
            Optional<Changelog> changelog = changing.finish();
            complete = true;
            return changelog;
        } catch (IndexOutOfBoundsException
                | IllegalArgumentException
                | BufferUnderflowException e) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "a row of a batch for table "
                            + table.info().path()
                            + " cannot be read with schema "
                            + table.schema().id()
                            + ": "
                            + e
                            + ". Write it with the row codec of that schema.",
                    e);
        } finally {
            if (!complete) {
                batch.slots().forEach(RowOverlay.Slot::rollBack);
                writers.discard(table.info().id());
            }
        }
    }

    /** Adds what was changed to what {@link #write} will write. */
    void commit(BucketId bucket, PutBatch batch) {
        batch.slots().forEach(slot -> slot.commit(bucket, changes));
    }

    /** One batch being applied. */
    private static final class Changing {
        private final TableState table;
        private final ArrowBatchWriter writer;
        private final byte[] kinds;
        private int count;
        private int addedRows;
        private boolean onlyInserts = true;

        Changing(TableState table, ArrowBatchWriter writer, int mostChanges) {
            this.table = table;
            this.writer = writer;
            this.kinds = new byte[mostChanges];
        }

        void change(RowOverlay.Slot slot, byte[] row, int schemaId) {
            EncodedRow old = slot.row();
            if (row == null) {
                if (old != null) {
                    add(ChangeKind.DELETE, old.bytes());
                    addedRows--;
                    slot.set(null);
                }
                return;
            }
            if (old == null) {
                add(ChangeKind.INSERT, row);
                addedRows++;
            } else {
                add(ChangeKind.UPDATE_BEFORE, old.bytes());
                add(ChangeKind.UPDATE_AFTER, row);
            }
            slot.set(new EncodedRow(schemaId, row));
        }

        private void add(ChangeKind kind, byte[] row) {
            RowView view = table.rowCodec().decode(row);
            writer.write(view);
            kinds[count++] = kind.number();
            onlyInserts &= kind == ChangeKind.INSERT;
        }

        Optional<Changelog> finish() {
            if (count == 0) {
                return Optional.empty();
            }
            ByteBuffer written =
                    onlyInserts ? ALL_INSERT : ByteBuffer.wrap(Arrays.copyOf(kinds, count));
            return Optional.of(new Changelog(writer.finish(), written, addedRows));
        }
    }

    /** Deletes every row of the table. */
    void dropTable(TableState table) {
        overlays.keySet().removeIf(bucket -> bucket.table().equals(table.info().id()));
        writers.discard(table.info().id());
        changes.deleteTable(table.info().id());
    }

    /** Writes the changes so far; reads through the store see them from now on. */
    void write(byte[] mark) {
        if (!changes.isEmpty()) {
            store.apply(changes, mark);
            changes.close();
            changes = store.changes();
        }
    }

    /** Writes how far the store is, for a checkpoint. */
    void remember(byte[] mark) {
        store.remember(mark);
    }

    /** Ends the entry, after its changes were written. */
    void endEntry() {
        overlays.clear();
    }

    @Override
    public void close() {
        writers.close();
        changes.close();
    }
}
