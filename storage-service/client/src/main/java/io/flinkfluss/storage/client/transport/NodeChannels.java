package io.flinkfluss.storage.client.transport;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.annotation.concurrent.GuardedBy;

/** The channels of one client, one per node, on one event loop. Any thread may use it. */
public final class NodeChannels implements AutoCloseable {
    private static final int LARGEST_MESSAGE = 64 << 20;

    /** What a stream may hold below its reader's own buffer; per stream, so not larger. */
    private static final int FLOW_CONTROL_WINDOW = 1 << 20;

    /** The shortest that gRPC has; what waits for an answer asks sooner, see the survey. */
    private static final int PING_SECONDS = 10;

    private static final int PING_ANSWER_SECONDS = 4;

    private static final int LARGEST_PORT = 65535;

    private final Object lock = new Object();
    private final EventLoopGroup eventLoop =
            new NioEventLoopGroup(1, ClientThreads.named("fluss-client-network"));
    private final Duration connectTimeout;
    private final Executor resolver;

    @GuardedBy("lock")
    private final Map<String, NodeChannel> nodes = new HashMap<>();

    @GuardedBy("lock")
    private final Map<String, ManagedChannel> channels = new HashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param resolver runs look-ups of host names
     */
    public NodeChannels(Duration connectTimeout, Executor resolver) {
        this.connectTimeout = connectTimeout;
        this.resolver = resolver;
    }

    /**
     * The channel to a node; does not connect yet.
     *
     * @param address {@code host:port}
     * @throws StorageException INVALID_REQUEST when it is not an address, CLOSED
     */
    public NodeChannel to(String address) {
        synchronized (lock) {
            if (closed) {
                throw closed();
            }
            return nodes.computeIfAbsent(address, this::open);
        }
    }

    /**
     * Opens the connection to a node anew, because the present one seems dead: what is under way on
     * it fails with UNREACHABLE.
     */
    public void renew(String address) {
        ManagedChannel before;
        synchronized (lock) {
            if (closed || !nodes.containsKey(address)) {
                return;
            }
            ManagedChannel channel = connect(address);
            before = nodes.get(address).replace(channel);
            channels.put(address, channel);
        }
        before.shutdownNow();
    }

    /** The error of everything that is asked of a closed client. */
    public static StorageException closed() {
        return new StorageException(
                ErrorCode.CLOSED, "this client was closed; connect again to go on");
    }

    @Override
    public void close() {
        List<ManagedChannel> closing;
        synchronized (lock) {
            closed = true;
            closing = List.copyOf(channels.values());
        }
        closing.forEach(ManagedChannel::shutdownNow);
        closing.forEach(NodeChannels::awaitEnd);
        eventLoop
                .shutdownGracefully(0, 1, TimeUnit.SECONDS)
                .awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    /** A channel still needs the event loop while it ends. */
    private static void awaitEnd(ManagedChannel channel) {
        try {
            channel.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @GuardedBy("lock")
    private NodeChannel open(String address) {
        ManagedChannel channel = connect(address);
        channels.put(address, channel);
        return new NodeChannel(address, channel);
    }

    private ManagedChannel connect(String address) {
        int separator = address.lastIndexOf(':');
        int port = separator < 1 ? -1 : port(address.substring(separator + 1));
        if (port < 0) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "'"
                            + address
                            + "' is not an address; give host:port, for example"
                            + " localhost:9123");
        }
        return NettyChannelBuilder.forAddress(address.substring(0, separator), port)
                .usePlaintext()
                .eventLoopGroup(eventLoop)
                .channelType(NioSocketChannel.class)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connectTimeout.toMillis())
                .directExecutor()
                .offloadExecutor(resolver)
                // A JVM's web proxy is not meant for connections to the storage service.
                .proxyDetector(target -> null)
                .maxInboundMessageSize(LARGEST_MESSAGE)
                .flowControlWindow(FLOW_CONTROL_WINDOW)
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PING_ANSWER_SECONDS, TimeUnit.SECONDS)
                .disableRetry()
                .build();
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            return port > 0 && port <= LARGEST_PORT ? port : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
