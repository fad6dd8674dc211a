package io.flinkfluss.storage.client.read;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.ErrorKind;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.client.routing.Backoff;
import io.flinkfluss.storage.client.routing.Cluster;
import io.flinkfluss.storage.client.transport.CallFailure;
import io.flinkfluss.storage.client.transport.NodeChannels;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.annotation.concurrent.GuardedBy;

/**
 * A stream of batches that is opened again, after the last batch that arrived, when it breaks.
 * Messages are requested one by one as long as less than the allowed bytes wait for a poll.
 */
final class RepairingBatches<B> implements Batches<B>, ReadAttempt.Owner {
    /** What it needs of the client. */
    record Environment(
            Cluster cluster,
            ScheduledExecutorService timer,
            ReadSettings settings,
            AtomicLong bytesOfAllReads,
            Consumer<Batches<?>> closed) {
        boolean hasRoom(long ownBytes) {
            return ownBytes == 0
                    || (ownBytes < settings.streamBytes()
                            && bytesOfAllReads.get() < settings.totalBytes());
        }
    }

    private static final int MOST_REQUESTED = 2;

    private final Object lock = new Object();
    private final Environment environment;
    private final BucketId bucket;

    @GuardedBy("lock")
    private final StreamSource<B> source;

    @GuardedBy("lock")
    private final Deque<B> arrived = new ArrayDeque<>();

    @GuardedBy("lock")
    private long arrivedBytes;

    /** Messages that the node may still send. */
    @GuardedBy("lock")
    private int requested;

    @GuardedBy("lock")
    private ReadAttempt attempt;

    /** Whether the attempt's stream takes requests. */
    @GuardedBy("lock")
    private boolean attemptOpened;

    /** When the attempt began or its node last sent something. */
    @GuardedBy("lock")
    private long lastHeardNanos;

    @GuardedBy("lock")
    private int failedAttempts;

    /** Whether nothing at all came since the stream broke. */
    @GuardedBy("lock")
    private boolean repairing;

    @GuardedBy("lock")
    private long repairDeadline;

    @GuardedBy("lock")
    private StorageException failure;

    @GuardedBy("lock")
    private boolean ended;

    @GuardedBy("lock")
    private boolean closed;

    private volatile Runnable listener = () -> {};

    RepairingBatches(StreamSource<B> source, Environment environment) {
        this.source = source;
        this.environment = environment;
        bucket = source.bucket();
        synchronized (lock) {
            ended = source.isComplete();
        }
    }

    void start() {
        ReadAttempt opening = null;
        synchronized (lock) {
            if (!ended && !closed) {
                opening = newAttempt();
            }
        }
        if (opening != null) {
            opening.open();
        }
    }

    @Override
    public Optional<B> poll() {
        ReadAttempt asking;
        int more;
        B batch;
        synchronized (lock) {
            batch = take();
            asking = attempt;
            more = toRequest();
        }
        if (more > 0) {
            asking.request(more);
        }
        return Optional.ofNullable(batch);
    }

    @Override
    public Optional<B> poll(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        synchronized (lock) {
            while (arrived.isEmpty() && !ended && failure == null && !closed) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return Optional.empty();
                }
                TimeUnit.NANOSECONDS.timedWait(lock, left);
            }
        }
        return poll();
    }

    @Override
    public boolean isFinished() {
        synchronized (lock) {
            return ended && arrived.isEmpty();
        }
    }

    @Override
    public void onAvailable(Runnable newListener) {
        listener = newListener;
        boolean now;
        synchronized (lock) {
            now = !arrived.isEmpty() || ended || failure != null;
        }
        if (now) {
            newListener.run();
        }
    }

    @Override
    public void close() {
        ReadAttempt last;
        synchronized (lock) {
            closed = true;
            last = attempt;
            attempt = null;
            arrived.clear();
            hold(-arrivedBytes);
            lock.notifyAll();
        }
        if (last != null) {
            last.cancel();
        }
        environment.closed.accept(this);
        listener.run();
    }

    @GuardedBy("lock")
    private void hold(long bytes) {
        arrivedBytes += bytes;
        environment.bytesOfAllReads.addAndGet(bytes);
    }

    @GuardedBy("lock")
    private B take() {
        if (closed) {
            throw new StorageException(ErrorCode.CLOSED, "this read was closed");
        }
        B batch = arrived.poll();
        if (batch != null) {
            hold(-source.sizeInBytes(batch));
        } else if (failure != null) {
            throw new StorageException(failure.code(), failure.getMessage(), failure);
        }
        return batch;
    }

    /** How many more messages to request, counted as requested. */
    @GuardedBy("lock")
    private int toRequest() {
        // What is requested of a stream that is not open yet would be counted but never sent.
        if (attempt == null
                || !attemptOpened
                || requested >= MOST_REQUESTED
                || !environment.hasRoom(arrivedBytes)) {
            return 0;
        }
        int more = MOST_REQUESTED - requested;
        requested += more;
        return more;
    }

    @GuardedBy("lock")
    private ReadAttempt newAttempt() {
        // What goes wrong at some replica may go well at the leader, and the other way round.
        ReadFrom from = failedAttempts % 2 == 0 ? source.readFrom() : ReadFrom.LEADER;
        attempt =
                new ReadAttempt(
                        environment.cluster,
                        bucket,
                        new ReadAttempt.Target(from, source.readFrom()),
                        this);
        lastHeardNanos = System.nanoTime();
        attemptOpened = false;
        requested = 0;
        return attempt;
    }

    @Override
    public void received(ReadAttempt from, FlightFrame frame) {
        int more;
        boolean news = false;
        boolean enough = false;
        synchronized (lock) {
            if (attempt != from) {
                return;
            }
            requested--;
            repairing = false;
            lastHeardNanos = System.nanoTime();
            // The schema message that begins each stream has no header of ours.
            if (frame.hasAppMetadata()) {
                Optional<B> batch = source.accept(frame);
                failedAttempts = 0;
                if (batch.isPresent()) {
                    arrived.add(batch.get());
                    hold(source.sizeInBytes(batch.get()));
                    news = true;
                }
                if (source.isComplete()) {
                    ended = true;
                    attempt = null;
                    enough = true;
                }
            }
            more = toRequest();
            if (news || enough) {
                lock.notifyAll();
            }
        }
        if (more > 0) {
            from.request(more);
        }
        if (enough) {
            from.cancel();
        }
        if (news || enough) {
            listener.run();
        }
    }

    @Override
    public void broke(ReadAttempt from, Optional<StorageException> error) {
        synchronized (lock) {
            if (attempt != from) {
                return;
            }
            attempt = null;
            if (error.isEmpty() && source.endsWithStream()) {
                ended = true;
            } else {
                repairOrFail(from, error);
            }
            if (!ended && failure == null) {
                return;
            }
            lock.notifyAll();
        }
        listener.run();
    }

    @GuardedBy("lock")
    private void repairOrFail(ReadAttempt from, Optional<StorageException> error) {
        boolean older = error.isPresent() && source.askOlder(error.get());
        if (error.isPresent()
                && !older
                && !from.isFromAnyReplica()
                && !error.get().isWorthRepeating()) {
            failure = error.get();
            return;
        }
        if (!repairing) {
            repairing = true;
            repairDeadline = newDeadline();
        } else if (repairDeadline - System.nanoTime() <= 0) {
            failure = error.orElseGet(NodeChannels::closed);
            return;
        }
        if (error.isPresent()) {
            if (error.get().kind() == ErrorKind.MOVED && !from.isFromAnyReplica()) {
                environment.cluster.denied(bucket, from.address());
            }
            environment.cluster.refresh();
        }
        try {
            var unused =
                    environment.timer.schedule(
                            this::start,
                            Backoff.untilReached(failedAttempts++).toMillis(),
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            failure = NodeChannels.closed();
        }
    }

    private long newDeadline() {
        return System.nanoTime() + environment.settings.repairTimeout().toNanos();
    }

    /**
     * Leaves a node that went silent while another one leads the bucket, or while any replica would
     * do.
     *
     * @return whether the read waits for its node unusually long
     */
    boolean followLeader() {
        ReadAttempt waiting;
        synchronized (lock) {
            waiting = attempt;
            long patience = environment.cluster.silence().toNanos();
            if (waiting == null
                    || requested == 0
                    || System.nanoTime() - lastHeardNanos <= patience) {
                return false;
            }
        }
        if (waiting.isLeftBehind()) {
            broke(waiting, Optional.of(CallFailure.leftBehind("a read", waiting.address())));
            waiting.cancel();
        }
        return true;
    }

    @Override
    public byte[] ticket() {
        synchronized (lock) {
            return source.ticket().encode();
        }
    }

    @Override
    public void opened(ReadAttempt from) {
        int more = 0;
        boolean wanted;
        synchronized (lock) {
            wanted = attempt == from;
            if (wanted) {
                attemptOpened = true;
                more = toRequest();
            }
        }
        if (!wanted) {
            from.cancel();
        } else if (more > 0) {
            from.request(more);
        }
    }
}
