package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.table.BucketId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * When each shard last acknowledged a write, and how long it did not while somebody {@link
 * #watch}es. Any thread may use it.
 */
public final class Acknowledgements {
    private final LongSupplier nanos;
    private final long[] last;
    private final List<Watch> watches = new ArrayList<>();
    private final AtomicLong rows = new AtomicLong();

    /**
     * @param nanos a clock that never goes back
     */
    public Acknowledgements(int shards, LongSupplier nanos) {
        this.nanos = nanos;
        last = new long[shards];
        Arrays.fill(last, nanos.getAsLong());
    }

    /** A write to the bucket was acknowledged. */
    public synchronized void acknowledged(BucketId bucket, int rowCount) {
        rows.addAndGet(rowCount);
        int shard = bucket.shard(last.length);
        long now = nanos.getAsLong();
        for (Watch watch : watches) {
            watch.acknowledged(last[shard], now);
        }
        last[shard] = now;
    }

    public long rows() {
        return rows.get();
    }

    /** How long ago the shard that waits longest acknowledged anything. */
    public synchronized long longestSilenceNanos() {
        long now = nanos.getAsLong();
        return Arrays.stream(last).map(moment -> now - moment).max().orElse(0);
    }

    /** Whether every shard acknowledged something after this moment of the clock. */
    public synchronized boolean allSince(long moment) {
        return Arrays.stream(last).allMatch(each -> each - moment > 0);
    }

    /** Begins to measure from now on. */
    public synchronized Watch watch() {
        Watch watch = new Watch(nanos.getAsLong());
        watches.add(watch);
        return watch;
    }

    /** Measures the longest time without acknowledgement in any shard. */
    public final class Watch {
        private final long begin;
        private long longest;

        private Watch(long begin) {
            this.begin = begin;
        }

        private void acknowledged(long before, long now) {
            longest = Math.max(longest, now - Math.max(before, begin));
        }

        /** Ends it: the longest silence of any shard from its begin to now. */
        public long end() {
            synchronized (Acknowledgements.this) {
                watches.remove(this);
                long now = nanos.getAsLong();
                for (long moment : last) {
                    longest = Math.max(longest, now - Math.max(moment, begin));
                }
                return longest;
            }
        }
    }
}
