package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.verify.check.BucketHistory;
import io.flinkfluss.verify.check.Row;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/** Tells a bucket's history what one reader sees. Not for several threads at once. */
public final class LogDecoder implements AutoCloseable {
    private final ArrowBatchReader reader;
    private final boolean keyed;
    private final BucketHistory history;
    private final String name;
    private long position;

    /**
     * @param start the offset that the reader asked for
     */
    public LogDecoder(
            TestTable table,
            BucketHistory history,
            BufferAllocator allocator,
            String name,
            long start) {
        reader = new ArrowBatchReader(table.info().schema(), null, allocator);
        keyed = table.info().hasPrimaryKey();
        this.history = history;
        this.name = name;
        position = start;
    }

    /** The next batch of the read. */
    public void accept(LogBatch batch) {
        if (batch.baseOffset() > position || batch.nextOffset() <= position) {
            history.gap(position, batch.baseOffset(), name);
        }
        reader.read(batch.metadata(), batch.body());
        for (int i = batch.firstRow(position); i < batch.rowCount(); i++) {
            long offset = batch.baseOffset() + i;
            ChangeKind kind = batch.kind(i);
            Optional<Row> row = RowForm.read(reader.rows().setRow(i), keyed, kind);
            if (row.isPresent()) {
                history.seen(offset, row.get().packed(), name);
            } else {
                history.damaged(offset, "a row that nobody wrote", name);
            }
        }
        position = batch.nextOffset();
    }

    /** The offset after the last row that came. */
    public long position() {
        return position;
    }

    @Override
    public void close() {
        reader.close();
    }
}
