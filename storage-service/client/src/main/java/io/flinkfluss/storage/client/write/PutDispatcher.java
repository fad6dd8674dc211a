package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.ErrorKind;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.PutAck;
import io.flinkfluss.storage.client.routing.Backoff;
import io.flinkfluss.storage.client.routing.Cluster;
import io.flinkfluss.storage.client.transport.CallFailure;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.storage.client.transport.NodeChannels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.annotation.concurrent.GuardedBy;

/**
 * Sends batches over one stream per node and sees each one through: in order per bucket, again
 * after a broken connection or a change of leader, until it is acknowledged, refused for good, or
 * its delivery timeout has passed. A batch without a stamp is not sent a second time once it left.
 *
 * <p>Any thread may call it; listeners run without its lock, mostly on the event loop.
 */
public final class PutDispatcher implements PutStream.Owner, AutoCloseable {
    private static final int SWEEPS_PER_TIMEOUT = 5;

    private final Object lock = new Object();
    private final Cluster cluster;
    private final ScheduledExecutorService timer;
    private final Duration deliveryTimeout;

    @GuardedBy("lock")
    private final Map<BucketId, BucketQueue> queues = new HashMap<>();

    @GuardedBy("lock")
    private final Map<String, PutStream> streams = new HashMap<>();

    @GuardedBy("lock")
    private long nextOrder;

    @GuardedBy("lock")
    private boolean closed;

    public PutDispatcher(
            Cluster cluster, ScheduledExecutorService timer, Duration deliveryTimeout) {
        this.cluster = cluster;
        this.timer = timer;
        this.deliveryTimeout = deliveryTimeout;
        long shortest = Math.min(deliveryTimeout.toMillis(), cluster.silence().toMillis());
        long sweep = Math.max(10, shortest / SWEEPS_PER_TIMEOUT);
        var unused = timer.scheduleWithFixedDelay(this::sweep, sweep, sweep, TimeUnit.MILLISECONDS);
    }

    void put(BucketId bucket, WriterStamp stamp, Payload payload, PutListener listener) {
        Effects effects = new Effects();
        synchronized (lock) {
            if (closed) {
                effects.fail(listener, NodeChannels.closed());
            } else {
                BucketQueue queue = queues.computeIfAbsent(bucket, BucketQueue::new);
                long deadline = System.nanoTime() + deliveryTimeout.toNanos();
                queue.waiting.add(new Put(queue, nextOrder++, stamp, payload, listener, deadline));
                advance(queue, effects);
            }
        }
        effects.run();
    }

    @Override
    public void acknowledged(PutStream stream, PutAck ack) {
        Effects effects = new Effects();
        synchronized (lock) {
            Put put = stream.outstanding.remove(ack.requestId());
            if (put == null || put.done) {
                return;
            }
            BucketQueue queue = put.queue;
            queue.inFlight.remove(put);
            if (ack.error().isEmpty()) {
                queue.attempts = 0;
                queue.overtake(put);
                finish(put, effects, ack.result());
            } else {
                StorageException error = ack.error().get().toException();
                // The answer may say that nothing was stored this time.
                put.sent = error.kind() == ErrorKind.OUTCOME_UNKNOWN;
                queue.refused = Backoff.isRefusal(error);
                if (error.kind() == ErrorKind.MOVED) {
                    cluster.denied(queue.bucket, stream.address);
                }
                retryOrFail(put, error, effects);
            }
            settle(queue, effects);
        }
        effects.run();
    }

    @Override
    public void closed(PutStream stream, Optional<CallFailure> failure) {
        StorageException error =
                failure.map(CallFailure::error)
                        .orElseGet(
                                () ->
                                        new StorageException(
                                                ErrorCode.UNREACHABLE,
                                                "the storage service at "
                                                        + stream.address
                                                        + " ended the write stream"));
        Effects effects = new Effects();
        synchronized (lock) {
            streams.remove(stream.address, stream);
            for (Put put : stream.outstanding.values()) {
                if (put.done) {
                    continue;
                }
                put.queue.inFlight.remove(put);
                put.queue.refused = false;
                if (put.stamp.isPresent() || !put.sent) {
                    retryOrFail(put, error, effects);
                } else {
                    finish(put, effects, unknownOutcome(put, error));
                }
                settle(put.queue, effects);
            }
            stream.outstanding.clear();
        }
        effects.run();
    }

    @Override
    public void broken(PutStream stream, StorageException error) {
        stream.cancel(error.getMessage());
        closed(stream, Optional.of(new CallFailure(error, false)));
    }

    @Override
    public void close() {
        List<PutStream> open;
        Effects effects = new Effects();
        synchronized (lock) {
            closed = true;
            open = new ArrayList<>(streams.values());
            streams.clear();
            for (BucketQueue queue : queues.values()) {
                queue.all().forEach(put -> finish(put, effects, NodeChannels.closed()));
            }
            queues.clear();
        }
        open.forEach(stream -> stream.cancel("the client was closed"));
        effects.run();
    }

    @GuardedBy("lock")
    private void retryOrFail(Put put, StorageException error, Effects effects) {
        if (!isWorthAnotherTry(put, error)) {
            finish(put, effects, error);
            return;
        }
        put.lastError = error;
        put.queue.failed(put);
        cluster.refresh();
    }

    private static boolean isWorthAnotherTry(Put put, StorageException error) {
        if (error.code() == ErrorCode.OUT_OF_ORDER_SEQUENCE
                || error.code() == ErrorCode.UNKNOWN_WRITER) {
            // Only because an earlier batch, which will be sent again, was not stored?
            return put.queue.hasEarlier(put);
        }
        return put.stamp.isPresent() ? error.isWorthRepeating() : error.isWorthAnotherTry();
    }

    /** After an answer: begins the pause when the queue is drained, else drops an empty queue. */
    @GuardedBy("lock")
    private void settle(BucketQueue queue, Effects effects) {
        if (queue.isDrained()) {
            rest(queue);
        } else if (queue.isEmpty()) {
            queues.remove(queue.bucket, queue);
        } else {
            advance(queue, effects);
        }
    }

    @GuardedBy("lock")
    private void rest(BucketQueue queue) {
        queue.state = BucketQueue.State.RESTING;
        int attempt = queue.attempts++;
        Duration pause = queue.refused ? Backoff.of(attempt) : Backoff.untilReached(attempt);
        try {
            var unused =
                    timer.schedule(() -> resume(queue), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The client is closing: close() fails what is left.
            return;
        }
    }

    private void resume(BucketQueue queue) {
        Effects effects = new Effects();
        synchronized (lock) {
            if (closed) {
                return;
            }
            queue.state = BucketQueue.State.OPEN;
            settle(queue, effects);
        }
        effects.run();
    }

    @GuardedBy("lock")
    private void advance(BucketQueue queue, Effects effects) {
        if (queue.state != BucketQueue.State.OPEN || queue.waiting.isEmpty()) {
            return;
        }
        Optional<NodeChannel> leader = cluster.leader(queue.bucket);
        if (leader.isEmpty()) {
            cluster.refresh();
            queue.waiting.forEach(put -> put.lastError = noLeader(queue.bucket));
            queue.refused = false;
            rest(queue);
            return;
        }
        PutStream stream = streams.get(leader.get().address());
        if (stream == null) {
            stream = new PutStream(leader.get().address(), this);
            streams.put(stream.address, stream);
            effects.opening.add(new Opening(stream, leader.get()));
        }
        for (Put put = queue.waiting.poll(); put != null; put = queue.waiting.poll()) {
            queue.inFlight.add(put);
            stream.enqueue(put);
        }
        effects.touched(stream);
    }

    private void sweep() {
        giveUp();
        followLeaders();
    }

    /**
     * A leader that sleeps, or was cut off, keeps its connection open and says nothing: when
     * answers are late the other nodes are asked, and if another one leads now everything goes
     * there.
     */
    private void followLeaders() {
        List<PutStream> late;
        List<PutStream> left = new ArrayList<>(0);
        List<PutStream> lossy = new ArrayList<>(0);
        synchronized (lock) {
            late =
                    streams.values().stream()
                            .filter(stream -> stream.waitsLongerThan(cluster.silence()))
                            .toList();
            for (PutStream stream : late) {
                if (stream.outstanding.values().stream().anyMatch(put -> isLedElsewhere(put))) {
                    left.add(stream);
                } else if (stream.hasLostAnswer(cluster.silence())) {
                    lossy.add(stream);
                }
            }
        }
        if (!late.isEmpty()) {
            cluster.refresh();
        }
        left.forEach(stream -> broken(stream, CallFailure.leftBehind("a write", stream.address)));
        lossy.forEach(stream -> broken(stream, lostAnswer(stream.address)));
    }

    private static StorageException lostAnswer(String address) {
        return new StorageException(
                ErrorCode.UNREACHABLE,
                "the answer to a write was lost on its way from "
                        + address
                        + ", which answered later ones");
    }

    private boolean isLedElsewhere(Put put) {
        return !put.done && cluster.isLedElsewhere(put.queue.bucket, put.address);
    }

    private void giveUp() {
        long now = System.nanoTime();
        Effects effects = new Effects();
        synchronized (lock) {
            for (BucketQueue queue : List.copyOf(queues.values())) {
                for (Put put : queue.all()) {
                    if (put.deadlineNanos - now <= 0) {
                        queue.remove(put);
                        finish(put, effects, put.expired(deliveryTimeout.toMillis()));
                    }
                }
                if (queue.isEmpty() && queue.state != BucketQueue.State.RESTING) {
                    queues.remove(queue.bucket, queue);
                } else if (queue.isDrained()) {
                    rest(queue);
                }
            }
        }
        effects.run();
    }

    private static void finish(Put put, Effects effects, AppendResult result) {
        put.done = true;
        effects.done.add(() -> put.listener.onStored(result));
    }

    private static void finish(Put put, Effects effects, StorageException error) {
        put.done = true;
        effects.fail(put.listener, error);
    }

    private static StorageException unknownOutcome(Put put, StorageException error) {
        return new StorageException(
                ErrorCode.TIMEOUT,
                "a write without a writer stamp to bucket "
                        + put.queue.bucket
                        + " may or may not be stored: "
                        + error.getMessage(),
                error);
    }

    private static StorageException noLeader(BucketId bucket) {
        return new StorageException(
                ErrorCode.NOT_READY, "no node leads bucket " + bucket + " at the moment");
    }

    private record Opening(PutStream stream, NodeChannel node) {}

    /** What has to happen after the lock was let go. */
    private static final class Effects {
        final List<Opening> opening = new ArrayList<>(1);
        final List<PutStream> flushing = new ArrayList<>(1);
        final List<Runnable> done = new ArrayList<>(2);

        void touched(PutStream stream) {
            if (!flushing.contains(stream)) {
                flushing.add(stream);
            }
        }

        void fail(PutListener listener, StorageException error) {
            done.add(() -> listener.onFailed(error));
        }

        void run() {
            for (Opening each : opening) {
                each.node.reconnectNow();
                each.stream.open(each.node);
            }
            flushing.forEach(PutStream::flush);
            done.forEach(Runnable::run);
        }
    }
}
