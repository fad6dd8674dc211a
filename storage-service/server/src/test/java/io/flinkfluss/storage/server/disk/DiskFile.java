package io.flinkfluss.storage.server.disk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** A file's content as it is read, and as it was when it was last made durable. */
final class DiskFile extends DiskNode {
    private byte[] content = {};
    private int length;
    private byte[] durable = {};

    @Override
    public boolean isDirectory() {
        return false;
    }

    @Override
    public long size() {
        return length;
    }

    /** As a channel reads. */
    int read(long position, ByteBuffer target) {
        if (position >= length) {
            return -1;
        }
        int count = (int) Math.min(target.remaining(), length - position);
        target.put(content, (int) position, count);
        return count;
    }

    int write(long position, ByteBuffer source) {
        int count = source.remaining();
        int end = Math.toIntExact(position + count);
        if (end > content.length) {
            content = Arrays.copyOf(content, Math.max(end, 2 * content.length));
        }
        source.get(content, (int) position, count);
        length = Math.max(length, end);
        return count;
    }

    void truncate(long size) {
        if (size < length) {
            Arrays.fill(content, (int) size, length, (byte) 0);
            length = (int) size;
        }
    }

    void copyFrom(DiskFile other) {
        content = Arrays.copyOf(other.content, other.length);
        length = other.length;
    }

    void force() {
        durable = Arrays.copyOf(content, length);
    }

    /** What was written since it was made durable is kept, kept in part, or is anything. */
    void losePower(Random random) {
        int same = Arrays.mismatch(content, 0, length, durable, 0, durable.length);
        if (same < 0) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> {}
            case 1 -> length = same + random.nextInt(length - same + 1);
            case 2 -> {
                byte[] garbage = new byte[length - same];
                random.nextBytes(garbage);
                System.arraycopy(garbage, 0, content, same, garbage.length);
            }
            default -> {
                content = durable;
                length = durable.length;
            }
        }
        content = Arrays.copyOf(content, length);
        durable = content.clone();
    }
}
