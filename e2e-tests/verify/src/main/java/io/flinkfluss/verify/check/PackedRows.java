package io.flinkfluss.verify.check;

import java.util.ArrayList;
import java.util.List;

/** Numbers by offset, 8 bytes each, 0 where none was set. Not for several threads at once. */
final class PackedRows {
    private static final int CHUNK = 1 << 13;

    private final List<long[]> chunks = new ArrayList<>();

    long get(long offset) {
        int chunk = (int) (offset / CHUNK);
        if (chunk >= chunks.size() || chunks.get(chunk) == null) {
            return 0;
        }
        return chunks.get(chunk)[(int) (offset % CHUNK)];
    }

    void set(long offset, long value) {
        int chunk = (int) (offset / CHUNK);
        while (chunk >= chunks.size()) {
            chunks.add(null);
        }
        if (chunks.get(chunk) == null) {
            chunks.set(chunk, new long[CHUNK]);
        }
        chunks.get(chunk)[(int) (offset % CHUNK)] = value;
    }
}
