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
    private final Cluster cluster;
    private final PutDispatcher dispatcher;
    private final MemoryBudget budget;
    private final Duration deliveryTimeout;
    private final Executor callbacks;

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

    private CompletableFuture<AppendResult> put(
            BucketId bucket, WriterStamp stamp, Payload payload) {
        CompletableFuture<AppendResult> answer = new CompletableFuture<>();
        try {
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
