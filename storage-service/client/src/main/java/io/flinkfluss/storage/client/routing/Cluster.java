package io.flinkfluss.storage.client.routing;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.ErrorKind;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.AdminOperation;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.storage.client.transport.NodeChannel.Repeat;
import io.flinkfluss.storage.client.transport.NodeChannels;
import io.flinkfluss.storage.client.transport.PendingAnswer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The service as a whole: knows its nodes and who leads what, and calls operations on the right
 * node. Any thread may use it; only {@link #call} and {@link #connect} block.
 */
public final class Cluster implements AutoCloseable {
    private static final int LOOKS_PER_SILENCE = 4;

    private final NodeChannels channels;
    private final List<String> bootstrap;
    private final Duration requestTimeout;
    private final Duration silence;
    private final Routes routes;
    private final Survey survey;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Lets the clients of a service choose different replicas of a bucket. */
    private final int choice = ThreadLocalRandom.current().nextInt();

    /**
     * @param silence how long a node may leave a request unanswered before the other nodes are
     *     asked whether it still leads
     */
    public Cluster(
            NodeChannels channels,
            List<String> bootstrap,
            Duration requestTimeout,
            Duration silence) {
        this.channels = channels;
        this.bootstrap = List.copyOf(bootstrap);
        this.requestTimeout = requestTimeout;
        this.silence = silence;
        routes = new Routes(bootstrap);
        survey = new Survey(channels, silence, routes::learn);
    }

    /**
     * Finds a node that answers; asks all at once.
     *
     * @throws StorageException UNREACHABLE, naming the addresses, within the timeout;
     *     INVALID_REQUEST for what is not an address
     */
    public void connect(Duration timeout) {
        bootstrap.forEach(channels::to);
        long deadline = System.nanoTime() + timeout.toNanos();
        for (int attempt = 0; ; attempt++) {
            try {
                firstAnswer(remaining(deadline));
                return;
            } catch (StorageException e) {
                if (e.code() == ErrorCode.UNREACHABLE || e.code() == ErrorCode.TIMEOUT) {
                    throw unreachable(timeout, e);
                }
                if (!e.isWorthAnotherTry()) {
                    throw e;
                }
                if (!pause(Backoff.of(attempt), deadline)) {
                    throw unreachable(timeout, e);
                }
            }
        }
    }

    private void firstAnswer(Duration timeout) {
        CompletableFuture<Void> first = new CompletableFuture<>();
        AtomicInteger open = new AtomicInteger(bootstrap.size());
        for (String address : bootstrap) {
            var unused =
                    survey.question(address, timeout)
                            .whenComplete(
                                    (view, error) -> {
                                        if (error == null) {
                                            first.complete(null);
                                        } else if (open.decrementAndGet() == 0) {
                                            first.completeExceptionally(cause(error));
                                        }
                                    });
        }
        try {
            first.get(timeout.toMillis() + silence.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StorageException known
                    ? new StorageException(known.code(), known.getMessage(), known)
                    : new StorageException(ErrorCode.INTERNAL, e.getCause().toString(), e);
        } catch (TimeoutException e) {
            throw new StorageException(ErrorCode.TIMEOUT, "no node answered", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(ErrorCode.TIMEOUT, "interrupted while connecting", e);
        }
    }

    private static Throwable cause(Throwable error) {
        return error.getCause() instanceof StorageException known ? known : error;
    }

    /** The node that leads the bucket as far as is known; empty asks for a {@link #refresh}. */
    public Optional<NodeChannel> leader(BucketId bucket) {
        return routes.leader(Optional.of(bucket)).map(channels::to);
    }

    /** A node to read the bucket from: always the same as long as it answers. */
    public Optional<NodeChannel> replica(BucketId bucket) {
        List<String> nodes = routes.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            String node =
                    nodes.get(Math.floorMod(31 * bucket.hashCode() + choice + i, nodes.size()));
            if (!survey.isSilent(node)) {
                return Optional.of(channels.to(node));
            }
        }
        return leader(bucket);
    }

    /** Whether another node than this is known to lead the bucket. */
    public boolean isLedElsewhere(BucketId bucket, String address) {
        return routes.leader(Optional.of(bucket))
                .filter(leader -> !leader.equals(address))
                .isPresent();
    }

    /** Whether the node left questions unanswered for a while. */
    public boolean isSilent(String address) {
        return survey.isSilent(address);
    }

    /** How long a node may leave a request unanswered without being suspected. */
    public Duration silence() {
        return silence;
    }

    /** A node said that it does not lead the bucket: it is not asked before somebody says so. */
    public void denied(BucketId bucket, String address) {
        routes.denied(Optional.of(bucket), address);
    }

    /** Asks all nodes again, in the background; returns at once. */
    public void refresh() {
        survey.ask(routes.everywhere());
    }

    /** The same where nothing is urgent: at most once per {@link #silence}. */
    public void refreshSometimes() {
        survey.askSometimes(routes.everywhere());
    }

    /**
     * Runs an operation on the metadata group's leader, or on whichever node takes it, with retries
     * until the request timeout.
     */
    public <A> A call(AdminOperation<A> operation) {
        return call(operation, Optional.empty());
    }

    /** Runs the operation on the node that leads the bucket. */
    public <A> A callLeader(BucketId bucket, AdminOperation<A> operation) {
        return call(operation, Optional.of(bucket));
    }

    private <A> A call(AdminOperation<A> operation, Optional<BucketId> bucket) {
        long deadline = System.nanoTime() + requestTimeout.toNanos();
        Set<String> tried = new HashSet<>();
        for (int attempt = 0; ; attempt++) {
            String address = next(bucket, tried);
            try {
                return operation.decodeAnswer(ask(address, operation, bucket, deadline));
            } catch (StorageException e) {
                boolean again =
                        operation.isRepeatable() ? e.isWorthRepeating() : e.isWorthAnotherTry();
                if (e.kind() == ErrorKind.MOVED) {
                    routes.denied(bucket, address);
                }
                if (!again || closed.getCount() == 0) {
                    throw e;
                }
                refresh();
                if (!pause(Backoff.untilReached(attempt), deadline)) {
                    throw e;
                }
            }
        }
    }

    /** The leader unless it was just tried, else each other node in turn. */
    private String next(Optional<BucketId> bucket, Set<String> tried) {
        Optional<String> leader = routes.leader(bucket);
        if (leader.isPresent() && tried.add(leader.get())) {
            return leader.get();
        }
        List<String> others = routes.everywhere();
        for (String other : others) {
            if (!survey.isSilent(other) && tried.add(other)) {
                return other;
            }
        }
        tried.clear();
        String first = leader.orElse(others.get(0));
        tried.add(first);
        return first;
    }

    /** Gives up on a node that sleeps, or leads no more, when that does no harm. */
    private ByteBuffer ask(
            String address, AdminOperation<?> operation, Optional<BucketId> bucket, long deadline) {
        NodeChannel node = channels.to(address);
        node.reconnectNow();
        PendingAnswer pending =
                node.ask(
                        operation.toAction(),
                        remaining(deadline),
                        Repeat.of(operation.isRepeatable()));
        Optional<ByteBuffer> answer = pending.await(silence);
        while (answer.isEmpty()) {
            refresh();
            boolean elsewhere =
                    routes.leader(bucket).filter(leader -> !leader.equals(address)).isPresent();
            if (operation.isRepeatable() && (elsewhere || isSilent(address))) {
                pending.cancel("the node does not answer");
                throw new StorageException(
                        ErrorCode.UNREACHABLE,
                        operation.action() + " was not answered by " + address + " in time");
            }
            answer = pending.await(silence.dividedBy(LOOKS_PER_SILENCE));
        }
        return answer.get();
    }

    private StorageException unreachable(Duration timeout, StorageException last) {
        return new StorageException(
                ErrorCode.UNREACHABLE,
                "no storage service was reached at the bootstrap servers "
                        + String.join(", ", bootstrap)
                        + " within "
                        + timeout.toMillis()
                        + " ms. "
                        + last.getMessage(),
                last);
    }

    private static Duration remaining(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }

    /** Waits before the next try; false when there is no time for it. */
    private boolean pause(Duration pause, long deadline) {
        if (deadline - System.nanoTime() <= pause.toNanos()) {
            return false;
        }
        try {
            if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                throw NodeChannels.closed();
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
