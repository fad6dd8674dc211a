package io.flinkfluss.storage.client.admin;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.Action;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.api.wire.NodeStatus;
import io.flinkfluss.storage.client.transport.ClientThreads;
import io.flinkfluss.storage.client.transport.NodeChannel.Repeat;
import io.flinkfluss.storage.client.transport.NodeChannels;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * Asks single nodes about themselves, each with one short deadline and without retries: for status
 * displays, where a node that does not answer is an answer too. Any thread may use it.
 */
public final class ClusterInspector implements AutoCloseable {
    /** The call itself ends at the timeout, with a better error. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private final Duration timeout;
    private final ClientThreads threads = new ClientThreads();
    private final NodeChannels channels;

    /**
     * @param timeout for each question
     */
    public ClusterInspector(Duration timeout) {
        this.timeout = timeout;
        channels = new NodeChannels(timeout, threads.callbacks());
    }

    /**
     * The nodes of the cluster, as the first of these addresses that answers knows them.
     *
     * @param addresses {@code host:port} each
     * @throws StorageException UNREACHABLE naming the addresses, INVALID_REQUEST
     */
    public ClusterView view(List<String> addresses) {
        ClusterOperation.DescribeCluster operation = new ClusterOperation.DescribeCluster();
        StorageException last = null;
        for (String address : addresses) {
            try {
                return operation.decodeAnswer(ask(address, operation.toAction()));
            } catch (StorageException failure) {
                if (failure.code() == ErrorCode.INVALID_REQUEST) {
                    throw failure;
                }
                last = failure;
            }
        }
        throw new StorageException(
                ErrorCode.UNREACHABLE,
                "no storage service answered at "
                        + String.join(", ", addresses)
                        + " within "
                        + timeout.toMillis()
                        + " ms each"
                        + (last == null ? "" : ": " + last.getMessage()),
                last);
    }

    /**
     * @throws StorageException UNREACHABLE or TIMEOUT when the node does not answer in time,
     *     UNSUPPORTED when it is of an older release
     */
    public NodeStatus status(String address) {
        return NodeStatus.decode(ask(address, NodeStatus.request()));
    }

    private ByteBuffer ask(String address, Action action) {
        return channels.to(address)
                .ask(action, timeout, Repeat.ALLOWED)
                .await(timeout.plus(MARGIN))
                .orElseThrow(
                        () ->
                                new StorageException(
                                        ErrorCode.TIMEOUT,
                                        address
                                                + " gave no answer within "
                                                + timeout.toMillis()
                                                + " ms"));
    }

    @Override
    public void close() {
        channels.close();
        threads.close();
    }
}
