package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.KvWriter;
import io.flinkfluss.storage.api.LogAppender;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.client.routing.Cluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Single batches to log and primary-key tables. A call blocks while more bytes than allowed wait to
 * be acknowledged. Any thread may call it; futures complete on the callback threads.
 */
public final class RemoteWriter implements LogAppender, KvWriter {
    /** More than a server may be set to. */
    private static final int LARGEST_EVER = 64 << 20;

    /** Less than the overhead that a server allows beyond its largest batch. */
    private static final int SURELY_READ = 64 << 10;

    private final Cluster cluster;
    private final PutDispatcher dispatcher;
    private final MemoryBudget budget;
    private final Duration deliveryTimeout;
    private final Executor callbacks;

    /** As the service said; 0 before it was asked. */
    private volatile int largestBatch;

    public RemoteWriter(
            Cluster cluster,
            PutDispatcher dispatcher,
            MemoryBudget budget,
            Duration deliveryTimeout,
            Executor callbacks) {
        this.cluster = cluster;
        this.dispatcher = dispatcher;
        this.budget = budget;
        this.deliveryTimeout = deliveryTimeout;
        this.callbacks = callbacks;
    }

    @Override
    public long newWriterId() {
        return cluster.call(new ClusterOperation.NewWriterId());
    }

    @Override
    public CompletableFuture<AppendResult> append(
            BucketId bucket, WriterStamp stamp, ArrowBatch batch) {
        return put(bucket, stamp, new Payload.Log(batch));
    }

    @Override
    public CompletableFuture<AppendResult> put(BucketId bucket, WriterStamp stamp, KvBatch batch) {
        return put(bucket, stamp, new Payload.Kv(batch));
    }

    /** Asks once. */
    @Override
    public int largestBatch() {
        int known = largestBatch;
        if (known == 0) {
            known = (int) Math.min(askLargestBatch(), LARGEST_EVER);
            largestBatch = known;
        }
        return known;
    }

    private long askLargestBatch() {
        try {
            return cluster.call(new ClusterOperation.LargestBatch());
        } catch (StorageException e) {
            if (e.code() == ErrorCode.UNSUPPORTED) {
                // A server of the first release, which refuses by itself.
                return LARGEST_EVER;
            }
            throw e;
        }
    }

    /** A message that the server does not even read would end the stream for all others. */
    private void checkSize(BucketId bucket, int bytes) {
        if (bytes > SURELY_READ && bytes > largestBatch()) {
            throw new StorageException(
                    ErrorCode.RECORD_TOO_LARGE,
                    "a batch of "
                            + bytes
                            + " bytes for bucket "
                            + bucket
                            + "; at most "
                            + largestBatch()
                            + " are allowed (batch.bytes-max of the server). Send smaller batches or"
                            + " rows");
        }
    }

    private CompletableFuture<AppendResult> put(
            BucketId bucket, WriterStamp stamp, Payload payload) {
        CompletableFuture<AppendResult> answer = new CompletableFuture<>();
        try {
            checkSize(bucket, payload.sizeInBytes());
            budget.await(deliveryTimeout);
        } catch (StorageException e) {
            return CompletableFuture.failedFuture(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(
                    new StorageException(
                            ErrorCode.BUSY, "interrupted while waiting for memory to write", e));
        }
        int bytes = payload.sizeInBytes();
        budget.take(bytes);
        dispatcher.put(
                bucket,
                stamp,
                payload,
                new PutListener() {
                    @Override
                    public void onStored(AppendResult result) {
                        budget.give(bytes);
                        callbacks.execute(() -> answer.complete(result));
                    }

                    @Override
                    public void onFailed(StorageException error) {
                        budget.give(bytes);
                        callbacks.execute(() -> answer.completeExceptionally(error));
                    }
                });
        return answer;
    }
}
