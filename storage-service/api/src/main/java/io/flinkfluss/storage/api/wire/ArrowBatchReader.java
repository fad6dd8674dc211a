package io.flinkfluss.storage.api.wire;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.flinkfluss.storage.api.table.Schema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.compression.Lz4CompressionCodec;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;

/**
 * Turns batches back into vectors. Not for several threads at once; close it to give the memory
 * back.
 */
public final class ArrowBatchReader implements AutoCloseable {
    private static final int PREFIX = 8;

    /** No buffer of ours is larger; a damaged length must not take all memory. */
    private static final long MAX_BUFFER_BYTES = 1L << 30;

    private final BufferAllocator allocator;
    private final VectorSchemaRoot root;
    private final ArrowRow rows;
    private final int bufferCount;
    private ZstdDecompressCtx zstd;

    /**
     * @param columnIndexes positions of the batches' columns in the schema, in order; null for all
     */
    public ArrowBatchReader(Schema schema, int[] columnIndexes, BufferAllocator allocator) {
        this.allocator = allocator;
        root = VectorSchemaRoot.create(ArrowSchemas.toArrow(schema, columnIndexes), allocator);
        rows = new ArrowRow(root);
        int buffers = 0;
        for (FieldVector vector : root.getFieldVectors()) {
            buffers += TypeLayout.getTypeBufferCount(vector.getField().getType());
        }
        bufferCount = buffers;
    }

    /**
     * The batch's vectors, decompressed. The root is reused: it is valid until the next read or
     * close. The arguments are not moved and not needed afterwards.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA, SCHEMA_MISMATCH
     */
    public VectorSchemaRoot read(ByteBuffer metadata, ByteBuffer body) {
        RecordBatchMessage message = RecordBatchMessage.parse(metadata);
        List<FieldVector> vectors = root.getFieldVectors();
        ArrowBatchCheck.checkShape(message, vectors.size(), bufferCount);
        if (message.bodyLength() > body.remaining()) {
            throw RecordBatchMessage.damaged(
                    "its metadata promises a body of "
                            + message.bodyLength()
                            + " bytes, but "
                            + body.remaining()
                            + " came");
        }
        int buffer = 0;
        for (int i = 0; i < vectors.size(); i++) {
            FieldVector vector = vectors.get(i);
            int count = TypeLayout.getTypeBufferCount(vector.getField().getType());
            List<ArrowBuf> buffers = new ArrayList<>(count);
            try {
                for (int b = 0; b < count; b++, buffer++) {
                    buffers.add(
                            buffer(
                                    message.compression(),
                                    body.slice(
                                            body.position() + message.offsets()[buffer],
                                            message.lengths()[buffer])));
                }
                vector.loadFieldBuffers(
                        new ArrowFieldNode(message.rowCount(), message.nullCounts()[i]), buffers);
            } finally {
                buffers.forEach(ArrowBuf::close);
            }
        }
        root.setRowCount(message.rowCount());
        return root;
    }

    /** A row of the current root; {@link ArrowRow#setRow} moves it. Always the same object. */
    public ArrowRow rows() {
        return rows;
    }

    private ArrowBuf buffer(ArrowCompression compression, ByteBuffer stored) {
        if (!stored.hasRemaining()) {
            return allocator.getEmpty();
        }
        if (compression == ArrowCompression.NONE) {
            return copy(stored);
        }
        if (stored.remaining() < PREFIX) {
            throw RecordBatchMessage.damaged(
                    "a compressed buffer has only " + stored.remaining() + " bytes");
        }
        long length = stored.order(ByteOrder.LITTLE_ENDIAN).getLong(0);
        if (length == -1) {
            return copy(stored.slice(PREFIX, stored.remaining() - PREFIX));
        }
        if (length < 0 || length > MAX_BUFFER_BYTES) {
            throw RecordBatchMessage.damaged("a buffer claims " + length + " bytes uncompressed");
        }
        if (compression == ArrowCompression.LZ4_FRAME) {
            return lz4(stored, length);
        }
        return zstd(stored.slice(PREFIX, stored.remaining() - PREFIX), (int) length);
    }

    private ArrowBuf copy(ByteBuffer stored) {
        ArrowBuf target = allocator.buffer(stored.remaining());
        target.setBytes(0, stored);
        return target.writerIndex(target.capacity());
    }

    private ArrowBuf zstd(ByteBuffer stored, int length) {
        if (zstd == null) {
            zstd = new ZstdDecompressCtx();
        }
        ArrowBuf target = allocator.buffer(length);
        boolean done = false;
        try {
            ByteBuffer output = MemoryUtil.directBuffer(target.memoryAddress(), length);
            int size =
                    stored.hasArray()
                            ? zstd.decompressByteArrayToDirectByteBuffer(
                                    output,
                                    0,
                                    length,
                                    stored.array(),
                                    stored.arrayOffset(),
                                    stored.remaining())
                            : zstd.decompressDirectByteBuffer(
                                    output, 0, length, stored, 0, stored.remaining());
            if (size != length) {
                throw RecordBatchMessage.damaged(
                        "a buffer of " + length + " bytes decompressed to " + size);
            }
            done = true;
            return target.writerIndex(length);
        } catch (ZstdException e) {
            throw RecordBatchMessage.damaged("ZSTD says " + e.getMessage());
        } finally {
            if (!done) {
                target.close();
            }
        }
    }

    private ArrowBuf lz4(ByteBuffer stored, long length) {
        ArrowBuf input = copy(stored);
        try {
            // The codec releases its input when it succeeds.
            input.getReferenceManager().retain();
            ArrowBuf output = new Lz4CompressionCodec().decompress(allocator, input);
            if (output.writerIndex() != length) {
                output.close();
                throw RecordBatchMessage.damaged(
                        "a buffer of " + length + " bytes decompressed to another length");
            }
            return output;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw RecordBatchMessage.damaged("LZ4 says " + e.getMessage());
        } finally {
            input.close();
        }
    }

    @Override
    public void close() {
        root.close();
        if (zstd != null) {
            zstd.close();
        }
    }
}
