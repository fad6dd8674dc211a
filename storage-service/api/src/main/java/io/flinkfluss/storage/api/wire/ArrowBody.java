package io.flinkfluss.storage.api.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.arrow.compression.Lz4CompressionCodec;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Builds the body of a record batch: each buffer compressed on its own and padded to 8 bytes. A
 * compressed buffer begins with its uncompressed length, or with -1 when its bytes stand as they
 * are because compression would not make them smaller.
 */
final class ArrowBody implements AutoCloseable {
    private static final int PREFIX = 8;
    private static final long AS_IT_IS = -1;

    private final BufferAllocator allocator;
    private final ArrowCompression compression;
    private final ZstdCompressCtx zstd;
    private ByteBuffer scratch = ByteBuffer.allocateDirect(0);
    private ByteBuffer body = newBody(1024);
    private int[] offsets;
    private int[] lengths;
    private int count;

    ArrowBody(BufferAllocator allocator, CompressionSettings settings, int bufferCount) {
        this.allocator = allocator;
        compression = settings.type();
        zstd =
                compression == ArrowCompression.ZSTD
                        ? new ZstdCompressCtx().setLevel(settings.zstdLevel())
                        : null;
        offsets = new int[bufferCount];
        lengths = new int[bufferCount];
    }

    /** Adds the first {@code length} bytes of a buffer. */
    void add(ArrowBuf buffer, int length) {
        int start = body.position();
        if (length > 0) {
            switch (compression) {
                case NONE -> copy(buffer, length);
                case ZSTD -> addZstd(buffer, length);
                case LZ4_FRAME -> addLz4(buffer, length);
            }
        }
        offsets[count] = start;
        lengths[count++] = body.position() - start;
        int padding = RecordBatchMessage.padded(body.position()) - body.position();
        ensure(padding);
        body.position(body.position() + padding);
    }

    private void addZstd(ArrowBuf buffer, int length) {
        int bound = Math.toIntExact(Zstd.compressBound(length));
        if (scratch.capacity() < bound) {
            scratch = ByteBuffer.allocateDirect(bound);
        }
        int compressed =
                zstd.compressDirectByteBuffer(
                        scratch, 0, bound, buffer.nioBuffer(0, length), 0, length);
        if (compressed < length) {
            ensure(PREFIX + compressed);
            body.putLong(length);
            body.put(body.position(), scratch, 0, compressed);
            body.position(body.position() + compressed);
        } else {
            ensure(PREFIX);
            body.putLong(AS_IT_IS);
            copy(buffer, length);
        }
    }

    private void addLz4(ArrowBuf buffer, int length) {
        ArrowBuf input = buffer.slice(0, length);
        input.writerIndex(length);
        // The codec releases its input.
        input.getReferenceManager().retain();
        try (ArrowBuf compressed = new Lz4CompressionCodec().compress(allocator, input)) {
            copy(compressed, Math.toIntExact(compressed.writerIndex()));
        }
    }

    private void copy(ArrowBuf buffer, int length) {
        ensure(length);
        buffer.getBytes(0, body.array(), body.position(), length);
        body.position(body.position() + length);
    }

    /** The batch of what was added since the last call. */
    RecordBatchMessage message(int rowCount, int[] nullCounts) {
        return new RecordBatchMessage(
                rowCount,
                compression,
                nullCounts,
                Arrays.copyOf(offsets, count),
                Arrays.copyOf(lengths, count),
                body.position());
    }

    /** The body of what was added since the last call; begins the next one. */
    ByteBuffer take() {
        ByteBuffer done = body.flip().slice();
        body = newBody(Math.max(1024, done.remaining() + done.remaining() / 8));
        count = 0;
        return done;
    }

    private void ensure(int more) {
        if (body.remaining() < more) {
            int needed = Math.addExact(body.position(), more);
            ByteBuffer larger = newBody(Math.max(needed, 2 * body.capacity()));
            body = larger.put(body.flip());
        }
    }

    private static ByteBuffer newBody(int capacity) {
        return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        if (zstd != null) {
            zstd.close();
        }
    }
}
