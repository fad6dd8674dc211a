package io.flinkfluss.storage.client.routing;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.ErrorKind;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.AdminOperation;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.storage.client.transport.NodeChannel.Repeat;
import io.flinkfluss.storage.client.transport.NodeChannels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The service as a whole: knows its nodes and who leads what, and calls operations on the right
 * node. Any thread may use it; only {@link #call} and {@link #connect} block.
 */
public final class Cluster implements AutoCloseable {
    private final NodeChannels channels;
    private final List<String> bootstrap;
    private final Duration requestTimeout;
    private final Executor background;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** What the last answer said, and who gave it. */
    private record Known(ClusterView view, String answeredBy) {}

    private volatile Known known = new Known(ClusterView.EMPTY, "");

    /**
     * @param background runs refreshes, which block
     */
    public Cluster(
            NodeChannels channels,
            List<String> bootstrap,
            Duration requestTimeout,
            Executor background) {
        this.channels = channels;
        this.bootstrap = List.copyOf(bootstrap);
        this.requestTimeout = requestTimeout;
        this.background = background;
    }

    /**
     * Finds a node that answers.
     *
     * @throws StorageException UNREACHABLE, naming the addresses, within the timeout
     */
    public void connect(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        StorageException last = null;
        for (int attempt = 0; ; attempt++) {
            for (String address : bootstrap) {
                try {
                    ask(address, remaining(deadline));
                    return;
                } catch (StorageException e) {
                    last = e;
                }
            }
            if (last.code() == ErrorCode.UNREACHABLE
                    || last.code() == ErrorCode.TIMEOUT
                    || !last.isRetryable()
                    || !pause(attempt, deadline)) {
                throw last.isRetryable() || last.code() == ErrorCode.TIMEOUT
                        ? unreachable(timeout, last)
                        : last;
            }
        }
    }

    /** The node that leads the bucket as far as is known; empty asks for a {@link #refresh}. */
    public Optional<NodeChannel> leader(BucketId bucket) {
        Known now = known;
        if (now.view.shardCount() == 0) {
            return Optional.empty();
        }
        return now.view.leader(bucket).map(node -> channels.to(address(now, node)));
    }

    /** Asks the nodes again, in the background; returns at once. */
    public void refresh() {
        if (!refreshing.compareAndSet(false, true)) {
            return;
        }
        try {
            background.execute(
                    () -> {
                        refreshing.set(false);
                        tryRefresh();
                    });
        } catch (RejectedExecutionException e) {
            refreshing.set(false);
        }
    }

    /** Runs the operation on whichever node takes it, with retries until the request timeout. */
    public <A> A call(AdminOperation<A> operation) {
        return call(operation, Optional.empty());
    }

    /** Runs the operation on the node that leads the bucket. */
    public <A> A callLeader(BucketId bucket, AdminOperation<A> operation) {
        return call(operation, Optional.of(bucket));
    }

    private <A> A call(AdminOperation<A> operation, Optional<BucketId> bucket) {
        long deadline = System.nanoTime() + requestTimeout.toNanos();
        List<String> candidates = candidates(bucket);
        for (int attempt = 0; ; attempt++) {
            NodeChannel node = channels.to(candidates.get(attempt % candidates.size()));
            try {
                if (attempt > 0) {
                    node.reconnectNow();
                }
                return operation.decodeAnswer(
                        node.act(
                                operation.toAction(),
                                remaining(deadline),
                                Repeat.of(operation.isRepeatable())));
            } catch (StorageException e) {
                if (!isWorthAnotherTry(e) || !pause(attempt / candidates.size(), deadline)) {
                    throw e;
                }
                tryRefresh();
                candidates = candidates(bucket);
            }
        }
    }

    /** Whether sending the same request again, perhaps to another node, can help. */
    public static boolean isWorthAnotherTry(StorageException error) {
        return error.kind() == ErrorKind.RETRIABLE || error.code() == ErrorCode.NOT_LEADER;
    }

    private List<String> candidates(Optional<BucketId> bucket) {
        Set<String> addresses = new LinkedHashSet<>();
        bucket.flatMap(this::leader).ifPresent(node -> addresses.add(node.address()));
        Known now = known;
        if (!now.answeredBy.isEmpty()) {
            addresses.add(now.answeredBy);
        }
        now.view.nodes().forEach(node -> addresses.add(address(now, node)));
        addresses.addAll(bootstrap);
        return new ArrayList<>(addresses);
    }

    private void tryRefresh() {
        for (String address : candidates(Optional.empty())) {
            try {
                channels.to(address).reconnectNow();
                ask(address, requestTimeout);
                return;
            } catch (StorageException e) {
                if (e.code() == ErrorCode.CLOSED) {
                    return;
                }
            }
        }
    }

    private void ask(String address, Duration timeout) {
        ClusterOperation.DescribeCluster operation = new ClusterOperation.DescribeCluster();
        ClusterView view =
                operation.decodeAnswer(
                        channels.to(address).act(operation.toAction(), timeout, Repeat.ALLOWED));
        known = new Known(view, address);
    }

    /** A single node is best reached at the address that worked, whatever it calls itself. */
    private static String address(Known now, ClusterView.Node node) {
        return now.view.nodes().size() == 1 ? now.answeredBy : node.toString();
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
    private boolean pause(int attempt, long deadline) {
        Duration pause = Backoff.of(attempt);
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
