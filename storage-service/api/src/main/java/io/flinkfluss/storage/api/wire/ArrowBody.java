package io.flinkfluss.storage.api.wire;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Builds the body of a record batch: each buffer compressed on its own and padded to 8 bytes. A
 * compressed buffer begins with its uncompressed length, or with -1 when its bytes stand as they
 * are because compression would not make them smaller.
 */
final class ArrowBody implements AutoCloseable {
    private static final int PREFIX = 8;
    private static final long AS_IT_IS = -1;

    private final ArrowCompression compression;
    private final ZstdCompressCtx zstd;
    private final Lz4Frame lz4;
    private ByteBuffer body = newBody(1024);
    private int[] offsets;
    private int[] lengths;
    private int count;

    ArrowBody(CompressionSettings settings, int bufferCount) {
        compression = settings.type();
        zstd =
                compression == ArrowCompression.ZSTD
                        ? new ZstdCompressCtx().setLevel(settings.zstdLevel())
                        : null;
        lz4 = compression == ArrowCompression.LZ4_FRAME ? new Lz4Frame() : null;
        offsets = new int[bufferCount];
        lengths = new int[bufferCount];
    }

    /** Adds the first {@code length} bytes of a buffer; a length of 0 leaves the buffer out. */
    void add(byte[] buffer, int length) {
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
        for (int i = 0; i < padding; i++) {
            body.put((byte) 0);
        }
    }

    private void addZstd(byte[] buffer, int length) {
        int bound = Math.toIntExact(Zstd.compressBound(length));
        ensure(PREFIX + bound);
        int compressed =
                zstd.compressByteArray(
                        body.array(), body.position() + PREFIX, bound, buffer, 0, length);
        if (compressed < length) {
            body.putLong(length);
            body.position(body.position() + compressed);
        } else {
            body.putLong(AS_IT_IS);
            copy(buffer, length);
        }
    }

    private void addLz4(byte[] buffer, int length) {
        byte[] frame = lz4.compress(buffer, length);
        if (frame.length < length) {
            ensure(PREFIX + frame.length);
            body.putLong(length);
            body.put(frame);
        } else {
            ensure(PREFIX + length);
            body.putLong(AS_IT_IS);
            copy(buffer, length);
        }
    }

    private void copy(byte[] buffer, int length) {
        ensure(length);
        body.put(buffer, 0, length);
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

    /** The body of what was added since the last call, in memory of its own. */
    ByteBuffer take() {
        ByteBuffer done = ByteBuffer.wrap(Arrays.copyOf(body.array(), body.position()));
        body.clear();
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
