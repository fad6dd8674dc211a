package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Percentiles;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.Permutation;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Inserts rows with distinct keys, replaces random ones as many times, looks every key up with many
 * lookups in flight, then some one at a time.
 */
final class KeyWorkload {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long ORDER_OF_INSERTS = 1;
    private static final long ORDER_OF_LOOKUPS = 2;
    private static final long UPDATES = 3;

    private final Work work;
    private final Sizes sizes;

    /**
     * @param inFlight lookups that are on their way at once
     * @param singles at most so many lookups one at a time
     * @param singleTime for at most so long
     */
    record Sizes(int buckets, int inFlight, int singles, Duration singleTime) {}

    KeyWorkload(Work work, Sizes sizes) {
        this.work = work;
        this.sizes = sizes;
    }

    void run(String table, int keys) throws Exception {
        work.client().createKeyed(table, sizes.buckets());
        long[] versions = new long[keys];
        try (RowWriter writer = work.client().upserter(table)) {
            insert(writer, versions);
            update(writer, versions);
        }
        try (KeyLookup lookup = work.client().lookup(table)) {
            lookUpMany(lookup, versions);
            lookUpOne(lookup, versions);
        }
        work.client().drop(table);
    }

    private void insert(RowWriter writer, long[] versions) throws Exception {
        Permutation order = new Permutation(versions.length, ORDER_OF_INSERTS);
        Meter meter = work.begin();
        for (int i = 0; i < versions.length; i++) {
            int key = (int) order.at(i);
            versions[key] = i;
            writer.write(work.rows().row(key, i));
        }
        writer.flush();
        work.rate(Measure.INSERT, meter.stop(versions.length));
    }

    private void update(RowWriter writer, long[] versions) throws Exception {
        SplittableRandom random = new SplittableRandom(UPDATES);
        Meter meter = work.begin();
        for (int i = 0; i < versions.length; i++) {
            int key = random.nextInt(versions.length);
            long version = (long) versions.length + i;
            versions[key] = version;
            writer.write(work.rows().row(key, version));
        }
        writer.flush();
        work.rate(Measure.UPDATE, meter.stop(versions.length));
    }

    private void lookUpMany(KeyLookup lookup, long[] versions) throws Exception {
        Permutation order = new Permutation(versions.length, ORDER_OF_LOOKUPS);
        LongAdder sum = new LongAdder();
        InFlight lookups = new InFlight(sizes.inFlight());
        Meter meter = work.begin();
        for (int i = 0; i < versions.length; i++) {
            long key = order.at(i);
            lookups.begin(() -> lookup.checksum(key), sum::add);
        }
        lookups.finish();
        Usage usage = meter.stop(versions.length);
        WrongAnswerException.check("the checksum of all keys", checksum(versions), sum.sum());
        work.rate(Measure.LOOKUP_MANY, usage);
    }

    private void lookUpOne(KeyLookup lookup, long[] versions) throws Exception {
        Permutation order = new Permutation(versions.length, ORDER_OF_LOOKUPS);
        int most = Math.min(sizes.singles(), versions.length);
        long[] nanos = new long[most];
        int done = 0;
        Deadline enough = Deadline.in(sizes.singleTime());
        Meter meter = work.begin();
        while (done < most && !enough.isOver()) {
            int key = (int) order.at(done);
            long start = System.nanoTime();
            long found = lookup.checksum(key).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            nanos[done++] = System.nanoTime() - start;
            WrongAnswerException.check("the row of key " + key, checksum(key, versions), found);
        }
        Usage usage = meter.stop(done);
        Percentiles times = new Percentiles(Arrays.copyOf(nanos, done));
        work.figure(Measure.LOOKUP_ONE_P50, times.millis(50), usage);
        work.figure(Measure.LOOKUP_ONE_P99, times.millis(99), usage);
    }

    private long checksum(long[] versions) {
        long sum = 0;
        for (int key = 0; key < versions.length; key++) {
            sum += checksum(key, versions);
        }
        return sum;
    }

    private long checksum(int key, long[] versions) {
        return Checksum.of(work.rows().row(key, versions[key]));
    }
}
