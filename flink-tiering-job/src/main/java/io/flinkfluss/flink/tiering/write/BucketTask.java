package io.flinkfluss.flink.tiering.write;

import io.flinkfluss.flink.tiering.plan.BucketRange;
import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeWriter;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.storage.api.wire.ArrowRow;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Copies one range to lake files, a batch per {@link #step}. Ends early, between whole changes,
 * when the writer is full or the time is used up. Used by one thread; must be closed.
 */
public final class BucketTask implements AutoCloseable {
    private final TableInfo table;
    private final BucketRange range;
    private final LongSupplier clock;
    private final long deadline;
    private final Batches<LogBatch> batches;
    private final ArrowBatchReader reader;
    private final LakeWriter writer;
    private long nextOffset;
    private long newestMillis;
    private ChangeKind lastKind = ChangeKind.INSERT;
    private boolean writerDone;

    /**
     * @param budgetMillis after this time the range ends where it is; at least one batch is taken
     * @param clock milliseconds since 1970
     * @param onAvailable called on any thread when a step may have something to do
     */
    public BucketTask(
            TableInfo table,
            BucketRange range,
            long budgetMillis,
            LogReader log,
            LakeCatalog lake,
            BufferAllocator allocator,
            LongSupplier clock,
            Runnable onAvailable) {
        this.table = table;
        this.range = range;
        this.clock = clock;
        this.deadline = clock.getAsLong() + budgetMillis;
        this.nextOffset = range.start();
        this.writer = lake.newWriter(table, range.bucket());
        this.reader = new ArrowBatchReader(table.schema(), null, allocator);
        this.batches = log.scan(new ScanRequest(range.bucket(), range.start(), range.end(), null));
        batches.onAvailable(onAvailable);
    }

    /** What a step came to. */
    public enum Progress {
        /** A batch was copied; there may be more. */
        COPIED,
        /** Nothing has arrived yet. */
        WAITING,
        /** The range is copied; take the {@link #finish}. */
        DONE
    }

    /** Copies the next batch if it is here. Never waits for the log. */
    public Progress step() {
        if (isAtEnd()) {
            return Progress.DONE;
        }
        Optional<LogBatch> batch = batches.poll();
        if (batch.isPresent()) {
            copy(batch.get());
            return isAtEnd() ? Progress.DONE : Progress.COPIED;
        }
        if (batches.isFinished() && nextOffset < range.end()) {
            throw new StorageException(
                    ErrorCode.INTERNAL,
                    "the log of bucket "
                            + range.bucket()
                            + " ended at offset "
                            + nextOffset
                            + ", before the planned "
                            + range.end());
        }
        return Progress.WAITING;
    }

    private boolean isAtEnd() {
        return nextOffset >= range.end() || isCut();
    }

    private boolean isCut() {
        if (lastKind == ChangeKind.UPDATE_BEFORE || nextOffset == range.start()) {
            return false;
        }
        return writer.isFull() || clock.getAsLong() >= deadline;
    }

    private void copy(LogBatch batch) {
        if (batch.schemaId() != table.schema().id()) {
            throw new StorageException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "a batch of bucket "
                            + range.bucket()
                            + " has schema "
                            + batch.schemaId()
                            + ", the round was planned with schema "
                            + table.schema().id()
                            + "; it will be planned again");
        }
        VectorSchemaRoot root = reader.read(batch.metadata(), batch.body());
        if (root.getRowCount() != batch.rowCount()) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    "a batch of bucket "
                            + range.bucket()
                            + " at offset "
                            + batch.baseOffset()
                            + " says it has "
                            + batch.rowCount()
                            + " rows and holds "
                            + root.getRowCount());
        }
        ArrowRow row = reader.rows();
        for (int i = batch.firstRow(nextOffset); i < batch.rowCount(); i++) {
            if (nextOffset >= range.end()) {
                return;
            }
            if (lastKind != ChangeKind.UPDATE_BEFORE && writer.isFull()) {
                return;
            }
            row.setRow(i);
            lastKind = batch.kind(i);
            writer.write(lastKind, row, nextOffset, batch.commitMillis());
            nextOffset++;
            newestMillis = Math.max(newestMillis, batch.commitMillis());
        }
    }

    /** Closes the files. Call it once, after {@link Progress#DONE}. */
    public WrittenBucket finish() {
        byte[] files = writer.complete();
        writerDone = true;
        return new WrittenBucket(range.bucket(), nextOffset, newestMillis, files);
    }

    /** Deletes the files unless they were finished. */
    @Override
    public void close() {
        try {
            batches.close();
        } finally {
            try {
                reader.close();
            } finally {
                if (!writerDone) {
                    writer.abort();
                }
            }
        }
    }
}
