package io.flinkfluss.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.Await;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.TestBatches;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.write.TableWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Writes to a log table and to a primary-key table, reads the log and looks rows up, all at once,
 * until it is stopped; any error of the client ends it.
 */
final class FailoverWorkload implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long NEWS_MILLIS = 1_000;
    private static final int BUCKETS = 6;
    private static final int KEYS = 50;

    /** Between two flushes of a writer, so that five servers get their part of two cores. */
    private static final Duration PACE = Duration.ofMillis(20);

    private final FlussClient client;
    private final TableInfo log;
    private final TableInfo rows;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> trouble = new AtomicReference<>();
    private final AtomicInteger appended = new AtomicInteger();
    private final AtomicInteger upserted = new AtomicInteger();
    private final AtomicLong lookups = new AtomicLong();
    private final AtomicLong lastAcknowledged = new AtomicLong();
    private final AtomicLong longestPause = new AtomicLong();

    /** Told of every acknowledgement and of trouble. */
    private final Object news = new Object();

    private final List<List<Integer>> read = new ArrayList<>();
    private volatile boolean stopping;

    FailoverWorkload(FlussClient client) {
        this.client = client;
        log = create("failover_log", List.of());
        rows = create("failover_rows", List.of("id"));
        for (int i = 0; i < BUCKETS; i++) {
            read.add(new ArrayList<>());
        }
    }

    private TableInfo create(String name, List<String> primaryKey) {
        Schema schema =
                new Schema(
                        1,
                        List.of(
                                Column.of(0, "id", DataType.of(TypeRoot.INT).notNull()),
                                Column.of(1, "version", DataType.of(TypeRoot.INT))),
                        primaryKey);
        return client.admin()
                .createTable(
                        new TablePath("fluss", name),
                        new TableDescriptor(
                                schema, List.of(), List.of("id"), BUCKETS, Map.of(), Map.of(), ""));
    }

    void start() {
        lastAcknowledged.set(System.nanoTime());
        run("appends", this::append);
        run("upserts and lookups", this::upsertAndLookUp);
        for (int i = 0; i < BUCKETS; i++) {
            BucketId bucket = log.buckets().get(i);
            List<Integer> seen = read.get(i);
            run("read " + i, () -> follow(bucket, seen));
        }
    }

    /** Waits until more rows were acknowledged, and more lookups answered, than now. */
    void awaitProgress() throws InterruptedException {
        int appendsBefore = appended.get();
        int upsertsBefore = upserted.get();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        synchronized (news) {
            while (appended.get() < appendsBefore + 2_000
                    || upserted.get() < upsertsBefore + KEYS) {
                throwTrouble();
                assertThat(System.nanoTime())
                        .as("%d appends, %d upserts", appended.get(), upserted.get())
                        .isLessThan(deadline);
                news.wait(NEWS_MILLIS);
            }
        }
    }

    /** The longest time without an acknowledgement since the last call. */
    Duration longestPause() {
        return Duration.ofNanos(longestPause.getAndSet(0));
    }

    long lookups() {
        return lookups.get();
    }

    void throwTrouble() {
        Throwable first = trouble.get();
        if (first != null) {
            throw new AssertionError("the client failed", first);
        }
    }

    /** Ends the writers, lets the readers read the rest, and checks what they saw. */
    void stopAndCheck() throws InterruptedException {
        stopping = true;
        for (Thread thread : threads) {
            thread.join(PATIENCE.toMillis());
            assertThat(thread.isAlive()).as("%s goes on for ever", thread.getName()).isFalse();
        }
        throwTrouble();
        List<Integer> all = new ArrayList<>();
        for (List<Integer> seen : read) {
            assertThat(seen).as("rows of a bucket in the order of writing").isSorted();
            all.addAll(seen);
        }
        assertThat(all).as("each row is read once").doesNotHaveDuplicates();
        assertThat(all).as("every acknowledged row is read").hasSize(appended.get());
    }

    @Override
    public void close() throws InterruptedException {
        stopping = true;
        for (Thread thread : threads) {
            thread.join(PATIENCE.toMillis());
        }
    }

    private void append() throws InterruptedException {
        try (TableWriter writer = client.writer(log)) {
            int id = 0;
            while (!stopping) {
                for (int i = 0; i < 200; i++) {
                    writer.append(GenericRow.of(id++, 0));
                }
                writer.flush();
                appended.set(id);
                acknowledged();
                Await.pause(PACE);
            }
        }
    }

    /**
     * Each key's version only grows, so a lookup that gives less than was acknowledged is stale.
     */
    private void upsertAndLookUp()
            throws InterruptedException, ExecutionException, TimeoutException {
        RowCodec codec = new RowCodec(rows.schema());
        BucketHash hash = new BucketHash(rows.schema(), rows.schema().keyIndexes(), BUCKETS);
        try (TableWriter writer = client.writer(rows)) {
            for (int version = 1; !stopping; version++) {
                for (int key = 0; key < KEYS; key++) {
                    writer.upsert(GenericRow.of(key, version));
                }
                writer.flush();
                upserted.addAndGet(KEYS);
                acknowledged();
                Await.pause(PACE);
                for (int key = 0; key < KEYS; key += 7) {
                    assertThat(lookUp(codec, hash, key))
                            .as("version of key %d", key)
                            .isEqualTo(version);
                    lookups.incrementAndGet();
                }
            }
        }
    }

    private int lookUp(RowCodec codec, BucketHash hash, int key)
            throws InterruptedException, ExecutionException, TimeoutException {
        GenericRow row = GenericRow.of(key, 0);
        List<Optional<EncodedRow>> found =
                client.kvReader()
                        .lookup(
                                rows.buckets().get(hash.bucket(row)),
                                List.of(TestBatches.key(rows.schema(), row)))
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(found.get(0)).as("key %d", key).isPresent();
        return codec.decode(found.get(0).get().bytes()).intAt(1);
    }

    private void acknowledged() {
        long now = System.nanoTime();
        long pause = now - lastAcknowledged.getAndSet(now);
        longestPause.accumulateAndGet(pause, Math::max);
        tell();
    }

    private void tell() {
        synchronized (news) {
            news.notifyAll();
        }
    }

    private void follow(BucketId bucket, List<Integer> seen) throws InterruptedException {
        long position = 0;
        try (Batches<LogBatch> batches =
                client.logReader().scan(new ScanRequest(bucket, 0, ScanRequest.UNBOUNDED, null))) {
            while (!stopping || position < end(bucket)) {
                Optional<LogBatch> batch = batches.poll(Duration.ofMillis(200));
                if (batch.isPresent()) {
                    List<GenericRow> decoded = TestBatches.rows(log.schema(), null, batch.get());
                    for (int i = batch.get().firstRow(position); i < decoded.size(); i++) {
                        seen.add(decoded.get(i).intAt(0));
                    }
                    position = batch.get().nextOffset();
                }
            }
        }
    }

    private long end(BucketId bucket) {
        // The writers may still be on their last flush when the readers begin to stop.
        if (threads.get(0).isAlive()) {
            return Long.MAX_VALUE;
        }
        return client.logReader().offsets(List.of(bucket), new OffsetSpec.Latest()).get(bucket);
    }

    /** A piece of work that may fail. */
    private interface Work {
        void run() throws InterruptedException, ExecutionException, TimeoutException;
    }

    private void run(String name, Work work) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                work.run();
                            } catch (Exception | AssertionError e) {
                                trouble.compareAndSet(null, e);
                                tell();
                            }
                        },
                        "failover " + name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }
}
