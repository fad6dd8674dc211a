package io.flinkfluss.storage.server.transport;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** Buffers that follow each other, in the form in which gRPC takes a message. */
final class BuffersStream extends InputStream implements KnownLength, Drainable {
    private final List<ByteBuffer> buffers;
    private int current;

    BuffersStream(List<ByteBuffer> buffers) {
        this.buffers = buffers;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
        int drained = 0;
        for (; current < buffers.size(); current++) {
            ByteBuffer buffer = buffers.get(current);
            int length = buffer.remaining();
            if (buffer.hasArray()) {
                target.write(buffer.array(), buffer.arrayOffset() + buffer.position(), length);
            } else {
                byte[] copy = new byte[length];
                buffer.get(buffer.position(), copy);
                target.write(copy);
            }
            buffer.position(buffer.limit());
            drained += length;
        }
        return drained;
    }

    @Override
    public int available() {
        int remaining = 0;
        for (int i = current; i < buffers.size(); i++) {
            remaining += buffers.get(i).remaining();
        }
        return remaining;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        while (current < buffers.size() && !buffers.get(current).hasRemaining()) {
            current++;
        }
        if (current == buffers.size()) {
            return -1;
        }
        int count = Math.min(length, buffers.get(current).remaining());
        buffers.get(current).get(target, offset, count);
        return count;
    }
}
