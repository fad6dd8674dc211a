package io.flinkfluss.storage.client.lookup;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.ErrorKind;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.wire.LookupResponse;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.annotation.concurrent.GuardedBy;

/**
 * Sends lookups over one stream per node. A lookup leaves at once while no message of its bucket is
 * on its way; otherwise it waits for an answer, or for enough others, and leaves together with
 * them. After a broken connection or a change of leader it is sent again until the request timeout.
 *
 * <p>Any thread may call it; futures complete on the callback threads.
 */
public final class LookupDispatcher implements LookupStream.Owner, AutoCloseable {
    private static final int SWEEPS_PER_TIMEOUT = 5;

    private final Object lock = new Object();
    private final Cluster cluster;
    private final ScheduledExecutorService timer;
    private final Executor callbacks;
    private final Duration requestTimeout;

    @GuardedBy("lock")
    private final Map<LookupQueue.Id, LookupQueue> queues = new HashMap<>();

    @GuardedBy("lock")
    private final Map<String, LookupStream> streams = new HashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    public LookupDispatcher(
            Cluster cluster,
            ScheduledExecutorService timer,
            Executor callbacks,
            Duration requestTimeout) {
        this.cluster = cluster;
        this.timer = timer;
        this.callbacks = callbacks;
        this.requestTimeout = requestTimeout;
        long shortest = Math.min(requestTimeout.toMillis(), cluster.silence().toMillis());
        long sweep = Math.max(10, shortest / SWEEPS_PER_TIMEOUT);
        var unused = timer.scheduleWithFixedDelay(this::sweep, sweep, sweep, TimeUnit.MILLISECONDS);
    }

    /** The rows of each key or prefix, in their order. */
    CompletableFuture<List<List<EncodedRow>>> find(LookupQueue.Id id, List<byte[]> keys) {
        Lookup lookup = new Lookup(keys, System.nanoTime() + requestTimeout.toNanos());
        Effects effects = new Effects();
        synchronized (lock) {
            if (closed) {
                return CompletableFuture.failedFuture(NodeChannels.closed());
            }
            LookupQueue queue = queues.computeIfAbsent(id, LookupQueue::new);
            queue.add(lookup);
            advance(queue, effects);
        }
        effects.run();
        return lookup.answer;
    }

    @Override
    public void answered(LookupStream stream, LookupResponse response) {
        LookupStream.Message message;
        Effects effects = new Effects();
        synchronized (lock) {
            message = stream.outstanding.remove(response.requestId());
            if (message == null) {
                return;
            }
            LookupQueue queue = message.queue();
            queue.messagesInFlight--;
            if (response.error().isPresent()) {
                StorageException error = response.error().get().toException();
                queue.refused = Backoff.isRefusal(error);
                if (error.kind() == ErrorKind.MOVED) {
                    cluster.denied(queue.id.bucket(), stream.address);
                }
                retryOrFail(message, error, effects);
            } else {
                queue.attempts = 0;
            }
            advance(queue, effects);
        }
        effects.run();
        if (response.error().isEmpty()) {
            callbacks.execute(() -> complete(message.lookups(), response.rows()));
        }
    }

    @Override
    public void closed(LookupStream stream, Optional<StorageException> error) {
        StorageException reason =
                error.orElseGet(
                        () ->
                                new StorageException(
                                        ErrorCode.UNREACHABLE,
                                        "the storage service at "
                                                + stream.address
                                                + " ended the lookup stream"));
        Effects effects = new Effects();
        synchronized (lock) {
            streams.remove(stream.address, stream);
            for (LookupStream.Message message : stream.outstanding.values()) {
                message.queue().messagesInFlight--;
                message.queue().refused = false;
                retryOrFail(message, reason, effects);
                advance(message.queue(), effects);
            }
            stream.outstanding.clear();
        }
        effects.run();
    }

    @Override
    public void close() {
        List<LookupStream> open;
        List<Lookup> left = new ArrayList<>();
        synchronized (lock) {
            closed = true;
            open = new ArrayList<>(streams.values());
            streams.clear();
            for (LookupStream stream : open) {
                stream.outstanding.values().forEach(message -> left.addAll(message.lookups()));
                stream.outstanding.clear();
            }
            queues.values().forEach(queue -> left.addAll(queue.all()));
            queues.clear();
        }
        open.forEach(stream -> stream.cancel("the client was closed"));
        left.forEach(lookup -> fail(lookup, NodeChannels.closed()));
    }

    @GuardedBy("lock")
    private void retryOrFail(
            LookupStream.Message message, StorageException error, Effects effects) {
        if (!error.isWorthRepeating()) {
            failOrPart(message, error, effects);
            return;
        }
        message.lookups().forEach(lookup -> lookup.lastError = error);
        message.queue().addFirst(message.lookups());
        cluster.refresh();
        rest(message.queue());
    }

    /** The fault may be that of one lookup only: each is asked once more by itself. */
    @GuardedBy("lock")
    private void failOrPart(LookupStream.Message message, StorageException error, Effects effects) {
        if (message.lookups().size() == 1) {
            effects.done.add(() -> fail(message.lookups().get(0), error));
            return;
        }
        message.lookups().forEach(lookup -> lookup.alone = true);
        message.queue().addFirst(message.lookups());
    }

    @GuardedBy("lock")
    private void rest(LookupQueue queue) {
        if (queue.resting) {
            return;
        }
        queue.resting = true;
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

    private void resume(LookupQueue queue) {
        Effects effects = new Effects();
        synchronized (lock) {
            queue.resting = false;
            if (!closed) {
                advance(queue, effects);
            }
        }
        effects.run();
    }

    @GuardedBy("lock")
    private void advance(LookupQueue queue, Effects effects) {
        if (queue.isEmpty() && !queue.resting) {
            queues.remove(queue.id, queue);
            return;
        }
        if (!queue.isDue()) {
            return;
        }
        Optional<NodeChannel> leader = cluster.leader(queue.id.bucket());
        if (leader.isEmpty()) {
            cluster.refresh();
            queue.refused = false;
            rest(queue);
            return;
        }
        LookupStream stream = streams.get(leader.get().address());
        if (stream == null) {
            stream = new LookupStream(leader.get().address(), this);
            streams.put(stream.address, stream);
            effects.opening.add(new Opening(stream, leader.get()));
        }
        while (queue.isDue()) {
            List<Lookup> lookups = queue.take();
            for (Lookup lookup : lookups) {
                lookup.address = stream.address;
            }
            stream.enqueue(new LookupStream.Message(queue, lookups, System.nanoTime()));
            queue.messagesInFlight++;
        }
        effects.touched(stream);
    }

    private void sweep() {
        giveUp();
        followLeaders();
    }

    /** As for writes: a leader that sleeps keeps its connection open and says nothing. */
    private void followLeaders() {
        List<LookupStream> late;
        List<LookupStream> left = new ArrayList<>(0);
        synchronized (lock) {
            late =
                    streams.values().stream()
                            .filter(stream -> stream.waitsLongerThan(cluster.silence()))
                            .toList();
            for (LookupStream stream : late) {
                if (stream.outstanding.values().stream()
                        .map(message -> message.queue().id.bucket())
                        .anyMatch(bucket -> cluster.isLedElsewhere(bucket, stream.address))) {
                    left.add(stream);
                }
            }
        }
        if (!late.isEmpty()) {
            cluster.refresh();
        }
        for (LookupStream stream : left) {
            StorageException why = CallFailure.leftBehind("a lookup", stream.address);
            stream.cancel(why.getMessage());
            closed(stream, Optional.of(why));
        }
    }

    private void giveUp() {
        long now = System.nanoTime();
        List<Lookup> expired = new ArrayList<>();
        synchronized (lock) {
            for (LookupQueue queue : List.copyOf(queues.values())) {
                queue.removeIf(lookup -> expire(lookup, now, expired));
                if (queue.isEmpty() && !queue.resting) {
                    queues.remove(queue.id, queue);
                }
            }
            for (LookupStream stream : streams.values()) {
                // Its answer, should it still come, finds nobody waiting.
                stream.outstanding
                        .values()
                        .forEach(
                                message ->
                                        message.lookups()
                                                .forEach(each -> expire(each, now, expired)));
            }
        }
        expired.forEach(lookup -> fail(lookup, timeout(lookup)));
    }

    private static boolean expire(Lookup lookup, long now, List<Lookup> expired) {
        boolean late = lookup.deadlineNanos - now <= 0 && !lookup.answer.isDone();
        if (late) {
            expired.add(lookup);
        }
        return late;
    }

    private StorageException timeout(Lookup lookup) {
        String what =
                "a lookup was not answered within "
                        + requestTimeout.toMillis()
                        + " ms"
                        + (lookup.address.isEmpty() ? "" : " by " + lookup.address);
        return lookup.lastError == null
                ? new StorageException(
                        ErrorCode.TIMEOUT, what + "; check the service, or allow more time")
                : new StorageException(
                        lookup.lastError.code(),
                        what + ": " + lookup.lastError.getMessage(),
                        lookup.lastError);
    }

    private void fail(Lookup lookup, StorageException error) {
        callbacks.execute(() -> lookup.answer.completeExceptionally(error));
    }

    private static void complete(List<Lookup> lookups, List<List<EncodedRow>> rows) {
        int next = 0;
        for (Lookup lookup : lookups) {
            int end = next + lookup.keys.size();
            if (end > rows.size()) {
                lookup.answer.completeExceptionally(
                        new StorageException(
                                ErrorCode.INTERNAL,
                                "a lookup was answered with " + rows.size() + " rows too few"));
            } else {
                lookup.answer.complete(rows.subList(next, end));
            }
            next = end;
        }
    }

    private record Opening(LookupStream stream, NodeChannel node) {}

    /** What has to happen after the lock was let go. */
    private static final class Effects {
        final List<Opening> opening = new ArrayList<>(1);
        final List<LookupStream> flushing = new ArrayList<>(1);
        final List<Runnable> done = new ArrayList<>(0);

        void touched(LookupStream stream) {
            if (!flushing.contains(stream)) {
                flushing.add(stream);
            }
        }

        void run() {
            for (Opening each : opening) {
                each.node.reconnectNow();
                each.stream.open(each.node);
            }
            flushing.forEach(LookupStream::flush);
            done.forEach(Runnable::run);
        }
    }
}
