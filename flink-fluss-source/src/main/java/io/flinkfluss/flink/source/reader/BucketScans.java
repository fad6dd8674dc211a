package io.flinkfluss.flink.source.reader;

import io.flinkfluss.flink.source.split.KvSplit;
import io.flinkfluss.flink.source.split.LogSplit;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.record.LogFilter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.annotation.concurrent.GuardedBy;

/**
 * Many scans read as one. The service pushes; {@link #next} sleeps until any scan has rows and
 * takes the scans in turn, so none starves and nothing is polled on a timer. One thread adds,
 * removes and takes; {@link #wakeUp} may be called by any thread.
 */
public final class BucketScans implements AutoCloseable {
    private final StorageService service;
    private final BatchDecoder decoder;
    private final LogFilter filter;
    private final Map<String, Entry> entries = new HashMap<>();
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Deque<Entry> ready = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean wokenUp;

    /**
     * Reads every row.
     *
     * @param decoder decodes the batches; not closed here
     */
    public BucketScans(StorageService service, BatchDecoder decoder) {
        this(service, decoder, LogFilter.NONE);
    }

    /**
     * @param decoder decodes the batches; not closed here
     * @param filter rows of logs that do not match may be missing
     */
    public BucketScans(StorageService service, BatchDecoder decoder, LogFilter filter) {
        this.service = service;
        this.decoder = decoder;
        this.filter = filter;
    }

    /** Begins to read a range of a log. */
    public void addLog(LogSplit split) {
        add(new LogScan(service.logReader(), decoder, split, filter));
    }

    /** Begins to read the rows of a snapshot; the changelog after it is the caller's next step. */
    public void addState(KvSplit split) {
        add(new KvScan(service.kvReader(), decoder, split));
    }

    private void add(BucketScan scan) {
        Entry entry = new Entry(scan);
        Entry other = entries.put(scan.splitId(), entry);
        if (other != null) {
            other.scan.close();
        }
        scan.onAvailable(() -> ready(entry));
        ready(entry);
    }

    /** Stops reading a split; an unknown one is ignored. */
    public void remove(String splitId) {
        Entry entry = entries.remove(splitId);
        if (entry != null) {
            entry.scan.close();
        }
    }

    /** A paused split keeps its scan but gives no batch. */
    public void pause(String splitId) {
        Entry entry = entries.get(splitId);
        if (entry != null) {
            entry.paused = true;
        }
    }

    public void resume(String splitId) {
        Entry entry = entries.get(splitId);
        if (entry != null) {
            entry.paused = false;
            ready(entry);
        }
    }

    /** Whether a split is being read. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * The next batch of any split, waiting for it; a split whose last batch was given is forgotten.
     * Empty after {@link #wakeUp}.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException when a scan cannot go on
     */
    public Optional<ScannedBatch> next() throws InterruptedException {
        while (true) {
            Entry entry = takeReady();
            if (entry == null) {
                return Optional.empty();
            }
            if (entry.paused || entries.get(entry.scan.splitId()) != entry) {
                continue;
            }
            Optional<ScannedBatch> batch = entry.scan.poll();
            if (batch.isPresent()) {
                if (batch.get().isLast()) {
                    remove(entry.scan.splitId());
                } else {
                    ready(entry);
                }
                return batch;
            }
        }
    }

    /** Makes a waiting {@link #next}, or the next call of it, give empty. */
    public void wakeUp() {
        synchronized (lock) {
            wokenUp = true;
            lock.notifyAll();
        }
    }

    private Entry takeReady() throws InterruptedException {
        synchronized (lock) {
            while (ready.isEmpty() && !wokenUp) {
                lock.wait();
            }
            if (wokenUp) {
                wokenUp = false;
                return null;
            }
            Entry entry = ready.poll();
            entry.queued = false;
            return entry;
        }
    }

    private void ready(Entry entry) {
        synchronized (lock) {
            if (!entry.queued) {
                entry.queued = true;
                ready.add(entry);
                lock.notifyAll();
            }
        }
    }

    @Override
    public void close() {
        entries.values().forEach(entry -> entry.scan.close());
        entries.clear();
    }

    /** A scan and its place in the queue; {@code queued} is guarded by the owner's lock. */
    private static final class Entry {
        private final BucketScan scan;
        private boolean queued;
        private boolean paused;

        Entry(BucketScan scan) {
            this.scan = scan;
        }
    }
}
