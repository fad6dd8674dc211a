package io.flinkfluss.flink.source.reader;

import io.flinkfluss.flink.row.ArrowRows;
import io.flinkfluss.flink.source.shape.BatchHead;
import io.flinkfluss.flink.source.shape.RowShape;
import io.flinkfluss.flink.source.shape.ShapedRows;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.annotation.concurrent.GuardedBy;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Decompresses batches into vectors that are used again and again. One thread decodes, another may
 * read and give back: it must outlive both, because {@link #close} frees all vectors, whether they
 * were given back or not. There are as many sets of vectors as batches are in use at once, which
 * the queue between the two threads bounds.
 */
public final class BatchDecoder implements AutoCloseable {
    private final Schema schema;
    private final RowShape shape;
    private final int[] projection;
    private final int[] columns;
    private final BufferAllocator allocator = new RootAllocator();
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final List<Vectors> all = new ArrayList<>();

    @GuardedBy("lock")
    private final Deque<Vectors> free = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param projection positions in the shape's row type, in the wanted order; null for all
     */
    public BatchDecoder(Schema schema, RowShape shape, int[] projection) {
        this.schema = schema;
        this.shape = shape;
        this.projection = projection == null ? null : projection.clone();
        this.columns = shape.scannedColumns(schema, projection);
    }

    /** The columns of the table that scans must ask for. */
    public int[] columns() {
        return columns.clone();
    }

    /** Decodes into free vectors; give them back by {@link Vectors#giveBack}. */
    Vectors decode(BatchHead head, ByteBuffer metadata, ByteBuffer body) {
        Vectors vectors = take();
        try {
            vectors.load(head, metadata, body);
        } catch (RuntimeException e) {
            vectors.giveBack();
            throw e;
        }
        return vectors;
    }

    private Vectors take() {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("the decoder is closed");
            }
            Vectors vectors = free.poll();
            if (vectors == null) {
                vectors = new Vectors();
                all.add(vectors);
            }
            return vectors;
        }
    }

    /** Frees all vectors; rows that were read from them must not be used any more. */
    @Override
    public void close() {
        List<Vectors> toClose;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            toClose = List.copyOf(all);
            free.clear();
        }
        toClose.forEach(Vectors::close);
        allocator.close();
    }

    /** One set of vectors and the rows over them. */
    final class Vectors {
        private final ArrowBatchReader reader = new ArrowBatchReader(schema, columns, allocator);
        private boolean closed;
        private ArrowRows arrow;
        private ShapedRows rows;

        /** Synchronized with {@link #close} only: a fetcher may outlive the time it is given. */
        private synchronized void load(BatchHead head, ByteBuffer metadata, ByteBuffer body) {
            if (closed) {
                throw new IllegalStateException("the decoder is closed");
            }
            VectorSchemaRoot root = reader.read(metadata, body);
            if (arrow == null) {
                arrow = new ArrowRows(root);
                rows = shape.rows(schema, projection, arrow);
            }
            arrow.loaded();
            rows.begin(head);
        }

        ShapedRows rows() {
            return rows;
        }

        void giveBack() {
            synchronized (lock) {
                if (!BatchDecoder.this.closed) {
                    free.push(this);
                }
            }
        }

        private synchronized void close() {
            closed = true;
            reader.close();
        }
    }
}
