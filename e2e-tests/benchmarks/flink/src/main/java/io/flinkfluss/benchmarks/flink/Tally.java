package io.flinkfluss.benchmarks.flink;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many rows came to a sink of this process and the sum of their checksums. Tasks add, another
 * thread looks. A row whose job was restarted counts again, which is what a check has to find.
 */
final class Tally {
    private static final Map<String, Tally> ALL = new ConcurrentHashMap<>();

    private final List<Part> parts = new CopyOnWriteArrayList<>();

    private Tally() {}

    static Tally named(String name) {
        return ALL.computeIfAbsent(name, key -> new Tally());
    }

    /** What one task adds to. */
    Part part() {
        Part part = new Part();
        parts.add(part);
        return part;
    }

    long rows() {
        return parts.stream().mapToLong(part -> part.rows.get()).sum();
    }

    /** Of at least the rows that were counted before this is asked. */
    long checksum() {
        return parts.stream().mapToLong(part -> part.checksum.get()).sum();
    }

    /** What {@link #checksum} is if those rows are right; 0 unless the sink was told to compare. */
    long expected() {
        return parts.stream().mapToLong(part -> part.expected.get()).sum();
    }

    /** Added to by one thread. */
    static final class Part {
        private final AtomicLong rows = new AtomicLong();
        private final AtomicLong checksum = new AtomicLong();
        private final AtomicLong expected = new AtomicLong();

        void add(long rowChecksum, long expectedChecksum) {
            checksum.lazySet(checksum.getPlain() + rowChecksum);
            expected.lazySet(expected.getPlain() + expectedChecksum);
            rows.lazySet(rows.getPlain() + 1);
        }
    }
}
