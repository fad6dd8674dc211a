package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gathers the commands that wait, from all connections, into entries of a replicated log. While
 * entries are on their way the next one grows; nothing ever waits for a timer. Commands enter the
 * log in the order of {@link #propose}. {@link #propose} may be called by any thread and never
 * blocks; one thread runs {@link #run}.
 */
public final class Proposer<C, A> {
    private final String name;
    private final EntryWriter writer;
    private final CommandCodec<C, A> codec;
    private final ProposerLimits limits;
    private final ServerClock clock;

    /** Guards the fields below. */
    private final Object lock = new Object();

    private final Deque<Waiting<C, A>> queue = new ArrayDeque<>();
    private long queuedBytes;
    private int inFlight;
    private boolean closed;

    /** Used by the running thread only: the leader's time never goes back while it leads. */
    private long lastMillis;

    public Proposer(
            String name,
            EntryWriter writer,
            CommandCodec<C, A> codec,
            ProposerLimits limits,
            ServerClock clock) {
        this.name = name;
        this.writer = writer;
        this.codec = codec;
        this.limits = limits;
        this.clock = clock;
    }

    /**
     * Queues a command. The future completes with its answer, on the applying thread: what depends
     * on it must be short and must not block.
     *
     * @param bytes the command's size
     */
    public CompletableFuture<A> propose(C command, long bytes) {
        Waiting<C, A> waiting = new Waiting<>(command, bytes, new CompletableFuture<>());
        synchronized (lock) {
            if (closed) {
                return CompletableFuture.failedFuture(stopping());
            }
            if (queuedBytes > 0 && queuedBytes + bytes > limits.queueBytes()) {
                return CompletableFuture.failedFuture(
                        new StorageException(
                                ErrorCode.BUSY,
                                queuedBytes
                                        + " bytes wait already for group "
                                        + name
                                        + ", at most "
                                        + limits.queueBytes()
                                        + " may; try again"));
            }
            queue.add(waiting);
            queuedBytes += bytes;
            lock.notifyAll();
        }
        return waiting.answer;
    }

    /** What waits now. */
    public ProposerFigures figures() {
        synchronized (lock) {
            return new ProposerFigures(queue.size(), queuedBytes, inFlight);
        }
    }

    /** Submits entries until the thread is interrupted or the proposer is closed. */
    public void run() {
        try {
            while (submitNext()) {}
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    /**
     * Waits for commands and for room, then submits one entry. @return false after {@link #close}
     */
    boolean submitNext() throws InterruptedException {
        List<Waiting<C, A>> entry;
        synchronized (lock) {
            while (!closed && (queue.isEmpty() || inFlight >= limits.entriesInFlight())) {
                lock.wait();
            }
            if (closed) {
                return false;
            }
            entry = takeEntry();
            inFlight++;
        }
        submit(entry);
        return true;
    }

    /** Refuses what waits and what comes; entries on their way are still answered. */
    public void close() {
        List<Waiting<C, A>> refused;
        synchronized (lock) {
            closed = true;
            refused = List.copyOf(queue);
            queue.clear();
            queuedBytes = 0;
            lock.notifyAll();
        }
        refused.forEach(waiting -> waiting.answer.completeExceptionally(stopping()));
    }

    private List<Waiting<C, A>> takeEntry() {
        List<Waiting<C, A>> entry = new ArrayList<>();
        long bytes = 0;
        synchronized (lock) {
            do {
                Waiting<C, A> next = queue.remove();
                entry.add(next);
                bytes += next.bytes;
                queuedBytes -= next.bytes;
            } while (!queue.isEmpty() && bytes + queue.peek().bytes <= limits.entryBytes());
        }
        return entry;
    }

    private void submit(List<Waiting<C, A>> entry) {
        CompletableFuture<byte[]> written;
        try {
            lastMillis = Math.max(lastMillis, clock.millis());
            List<C> commands = new ArrayList<>(entry.size());
            entry.forEach(waiting -> commands.add(waiting.command));
            written = writer.submit(lastMillis, codec.encode(commands));
        } catch (RuntimeException failure) {
            written = CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<byte[]> unused =
                written.orTimeout(limits.deadline().toMillis(), TimeUnit.MILLISECONDS)
                        .whenComplete((answers, failure) -> finish(entry, answers, failure));
    }

    private void finish(List<Waiting<C, A>> entry, byte[] answers, Throwable failure) {
        synchronized (lock) {
            inFlight--;
            lock.notifyAll();
        }
        if (failure != null) {
            StorageException error = asStorageException(failure);
            entry.forEach(waiting -> waiting.answer.completeExceptionally(error));
            return;
        }
        List<A> decoded;
        try {
            decoded = codec.decode(answers);
        } catch (RuntimeException broken) {
            entry.forEach(waiting -> waiting.answer.completeExceptionally(broken));
            return;
        }
        for (int i = 0; i < entry.size(); i++) {
            entry.get(i).answer.complete(decoded.get(i));
        }
    }

    private StorageException asStorageException(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof StorageException known) {
            return known;
        }
        if (cause instanceof TimeoutException) {
            return new StorageException(
                    ErrorCode.TIMEOUT,
                    "group "
                            + name
                            + " did not confirm the write within "
                            + limits.deadline().toSeconds()
                            + " s; it may or may not have taken effect",
                    cause);
        }
        return new StorageException(
                ErrorCode.INTERNAL, "group " + name + " failed: " + cause, cause);
    }

    private StorageException stopping() {
        return new StorageException(
                ErrorCode.NOT_READY,
                "the server is stopping; nothing was written, send it again after its restart");
    }

    /** A command and who waits for its answer. */
    private record Waiting<C, A>(C command, long bytes, CompletableFuture<A> answer) {}
}
