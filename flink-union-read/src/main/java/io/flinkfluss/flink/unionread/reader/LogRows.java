package io.flinkfluss.flink.unionread.reader;

import io.flinkfluss.flink.row.ArrowRows;
import io.flinkfluss.flink.row.RowKinds;
import io.flinkfluss.flink.unionread.split.LogRange;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.storage.api.wire.ArrowRow;
import java.util.Arrays;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;

/** The rows of one log range, one after the other, as they are pushed. Never waits. */
final class LogRows implements AutoCloseable {
    private final Batches<LogBatch> batches;
    private final ArrowBatchReader decoder;
    private final int outputs;
    private final LogRange range;
    private long nextOffset;
    private LogBatch batch;
    private VectorSchemaRoot root;
    private ArrowRows columns;
    private ColumnarRowData data;
    private ArrowRow view;
    private int row;
    private int endRow;

    LogRows(
            LogReader reader,
            LogRange range,
            ReadColumns read,
            BufferAllocator allocator,
            Runnable onAvailable) {
        this.range = range;
        this.nextOffset = range.start();
        this.outputs = read.outputs();
        this.decoder = new ArrowBatchReader(read.table(), read.indexes(), allocator);
        this.batches =
                reader.scan(
                        new ScanRequest(
                                range.bucket(), range.start(), range.end(), read.indexes()));
        batches.onAvailable(onAvailable);
    }

    /** Moves to the next row; false when none is here now. */
    boolean next() {
        while (batch == null || row + 1 >= endRow) {
            batch = null;
            if (isFinished() || !load()) {
                return false;
            }
        }
        row++;
        nextOffset++;
        return true;
    }

    /** Whether the range's end was reached. */
    boolean isFinished() {
        return nextOffset == range.end();
    }

    /** What is left after the current row. */
    LogRange left() {
        return range.from(nextOffset);
    }

    ChangeKind kind() {
        return batch.kind(row);
    }

    /** The current row with every fetched column; valid until {@link #next}. */
    RowView view() {
        view.setRow(row);
        return view;
    }

    /** The current row with the output columns and its kind; valid until {@link #next}. */
    RowData data() {
        data.setRowId(row);
        data.setRowKind(RowKinds.toFlink(kind()));
        return data;
    }

    private boolean load() {
        Optional<LogBatch> polled = batches.poll();
        if (polled.isEmpty()) {
            return false;
        }
        LogBatch next = polled.get();
        VectorSchemaRoot loaded = decoder.read(next.metadata(), next.body());
        if (loaded != root) {
            root = loaded;
            columns = new ArrowRows(root);
            view = decoder.rows();
            data =
                    new ColumnarRowData(
                            new VectorizedColumnBatch(Arrays.copyOf(columns.columns(), outputs)));
        } else {
            columns.loaded();
        }
        batch = next;
        row = next.firstRow(nextOffset) - 1;
        endRow = (int) Math.min(next.rowCount(), range.end() - next.baseOffset());
        return true;
    }

    @Override
    public void close() {
        batches.close();
        decoder.close();
    }
}
