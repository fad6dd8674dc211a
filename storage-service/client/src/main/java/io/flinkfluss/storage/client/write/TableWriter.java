package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.annotation.concurrent.GuardedBy;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes rows to one table. Rows gather into batches per bucket while earlier batches are on their
 * way (see {@code BucketBatcher}); a call blocks while too many bytes are not acknowledged. Every
 * batch is idempotent, so broken connections store nothing twice. Rows of one bucket keep their
 * order.
 *
 * <p>A failure is thrown by the next call, after which the writer is of no more use: rows that were
 * not acknowledged by a {@link #flush} may or may not be stored. A thread that is interrupted while
 * a call blocks gets BUSY, with its interrupt flag set. For one thread at a time.
 */
public final class TableWriter implements AutoCloseable {
    /** What headers, statistics and padding may take of a batch: one part in so many. */
    private static final int SHARE_OF_HEADERS = 16;

    private final TableInfo table;
    private final BucketBatcher[] buckets;
    private final BucketHash hash;
    private final Shared shared;
    private int current;

    /**
     * What a client lends to its writers.
     *
     * @param writerIds asks the service for a new id each time
     * @param largestBatch asks the service, perhaps, how many bytes a batch may have
     */
    public record Environment(
            LongSupplier writerIds,
            IntSupplier largestBatch,
            PutDispatcher dispatcher,
            MemoryBudget budget,
            BufferAllocator allocator,
            Executor senders,
            WriterSettings settings,
            Duration deliveryTimeout) {}

    /** Asks the service for a writer id first. */
    public TableWriter(TableInfo table, Environment environment) {
        this.table = table;
        shared = new Shared(environment, new EncoderPool(encoders(table, environment)));
        long writerId = shared.newWriterId();
        buckets =
                table.buckets().stream()
                        .map(bucket -> new BucketBatcher(bucket, writerId, shared))
                        .toArray(BucketBatcher[]::new);
        hash = hash(table);
        // Writers without a bucket key begin in different buckets.
        current = (int) (writerId % buckets.length);
    }

    /**
     * Adds a row to a log table.
     *
     * @throws StorageException UNSUPPORTED for a primary-key table, SCHEMA_MISMATCH, or
     *     RECORD_TOO_LARGE with the size and the limit: the writer goes on without the row; or an
     *     earlier failure
     */
    public void append(RowView row) {
        require(!table.hasPrimaryKey(), "append", "has a primary key: use upsert or delete");
        if (hash != null) {
            add(hash.bucket(row), BucketBatcher.Change.UPSERT, row);
        } else if (add(current, BucketBatcher.Change.UPSERT, row)) {
            // Staying in a bucket until a batch is full makes fewer and larger batches.
            current = (current + 1) % buckets.length;
        }
    }

    /**
     * Inserts or replaces the row with the same key.
     *
     * @throws StorageException UNSUPPORTED for a log table, NULL_IN_KEY, SCHEMA_MISMATCH, or
     *     RECORD_TOO_LARGE with the size and the limit: the writer goes on without the row; or an
     *     earlier failure
     */
    public void upsert(RowView row) {
        require(table.hasPrimaryKey(), "upsert", "has no primary key: use append");
        add(hash.bucket(row), BucketBatcher.Change.UPSERT, row);
    }

    /**
     * Removes the row with this key, if there is one; only the key columns need to be set.
     *
     * @throws StorageException like {@link #upsert}
     */
    public void delete(RowView row) {
        require(table.hasPrimaryKey(), "delete", "has no primary key: rows cannot be deleted");
        add(hash.bucket(row), BucketBatcher.Change.DELETE, row);
    }

    /**
     * Waits until every row is acknowledged.
     *
     * @throws StorageException the first failure since the last call
     */
    public void flush() throws InterruptedException {
        for (BucketBatcher bucket : buckets) {
            bucket.flush();
        }
        shared.awaitIdle(buckets);
        shared.throwFailure();
    }

    /** Bytes of batches sent, as they travel. */
    public long bytesWritten() {
        return shared.bytes.get();
    }

    /** Bytes of all writers of this client that are not acknowledged yet. */
    public long bytesWaiting() {
        return shared.environment.budget().used();
    }

    /** Frees memory; rows that were not {@link #flush flushed} may be lost. */
    @Override
    public void close() {
        for (BucketBatcher bucket : buckets) {
            bucket.close();
        }
        shared.encoders.close();
    }

    private boolean add(int bucket, BucketBatcher.Change change, RowView row) {
        if (shared.failure.get() != null) {
            shared.throwFailure();
        }
        boolean filled = buckets[bucket].add(change, row);
        if (shared.environment.budget().isExceeded()) {
            awaitMemory();
        }
        return filled;
    }

    private void awaitMemory() {
        try {
            shared.environment.budget().await(shared.environment.deliveryTimeout());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(
                    ErrorCode.BUSY, "interrupted while waiting for memory to write", e);
        }
    }

    private void require(boolean fits, String call, String why) {
        if (!fits) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    call + " does not fit table " + table.path() + ", which " + why);
        }
    }

    private static BucketHash hash(TableInfo table) {
        Schema schema = table.schema();
        List<String> key = table.descriptor().bucketKey();
        if (key.isEmpty() && !table.hasPrimaryKey()) {
            return null;
        }
        int[] indexes = key.isEmpty() ? schema.keyIndexes() : schema.indexesOf(key);
        return new BucketHash(schema, indexes, table.descriptor().bucketCount());
    }

    private static Supplier<BatchEncoder> encoders(TableInfo table, Environment environment) {
        Schema schema = table.schema();
        if (table.hasPrimaryKey()) {
            return () -> BatchEncoder.Kv.of(schema);
        }
        CompressionSettings compression = CompressionSettings.of(table.descriptor());
        return () ->
                new BatchEncoder.Log(
                        new ArrowBatchWriter(schema, environment.allocator(), compression));
    }

    /** What the buckets share. */
    private static final class Shared implements BucketBatcher.Context {
        final Environment environment;
        final EncoderPool encoders;
        final AtomicLong bytes = new AtomicLong();
        final AtomicReference<StorageException> failure = new AtomicReference<>();
        private final long largestBatch;
        private final Object settled = new Object();

        @GuardedBy("settled")
        private long settledCount;

        Shared(Environment environment, EncoderPool encoders) {
            this.environment = environment;
            this.encoders = encoders;
            int bytes = environment.largestBatch().getAsInt();
            largestBatch = bytes - bytes / SHARE_OF_HEADERS;
        }

        void throwFailure() {
            StorageException first = failure.get();
            if (first != null) {
                throw new StorageException(first.code(), first.getMessage(), first);
            }
        }

        /** Every batch ends at the latest at its delivery timeout, so something settles before. */
        void awaitIdle(BucketBatcher[] buckets) throws InterruptedException {
            long longest = 2 * environment.deliveryTimeout().toMillis();
            for (BucketBatcher bucket : buckets) {
                synchronized (settled) {
                    while (!bucket.isIdle() && failure.get() == null) {
                        long before = settledCount;
                        settled.wait(longest);
                        if (settledCount == before) {
                            failed(stuck(longest));
                        }
                    }
                }
            }
        }

        private static StorageException stuck(long millis) {
            return new StorageException(
                    ErrorCode.TIMEOUT,
                    "no batch was acknowledged or refused in "
                            + millis
                            + " ms; rows since the last flush may or may not be stored");
        }

        @Override
        public void settled() {
            synchronized (settled) {
                settledCount++;
                settled.notifyAll();
            }
        }

        @Override
        public void failed(StorageException error) {
            failure.compareAndSet(null, error);
        }

        @Override
        public void sent(long count) {
            bytes.addAndGet(count);
        }

        @Override
        public EncoderPool encoders() {
            return encoders;
        }

        @Override
        public MemoryBudget budget() {
            return environment.budget();
        }

        @Override
        public PutDispatcher dispatcher() {
            return environment.dispatcher();
        }

        @Override
        public void execute(Runnable task) {
            environment.senders().execute(task);
        }

        @Override
        public long newWriterId() {
            return environment.writerIds().getAsLong();
        }

        @Override
        public long largestBatch() {
            return largestBatch;
        }

        @Override
        public WriterSettings settings() {
            return environment.settings();
        }
    }
}
