package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.wire.Action;
import io.flinkfluss.storage.api.wire.AdminOperation;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.api.wire.NodeStatus;
import io.flinkfluss.storage.api.wire.Result;
import io.flinkfluss.storage.server.membership.Introduction;
import io.flinkfluss.storage.server.runtime.MemoryFigures;
import io.flinkfluss.storage.server.transfer.CheckpointLeases;
import io.flinkfluss.storage.server.transfer.FileTicket;
import io.flinkfluss.storage.server.transfer.PeerOperation;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Serves a {@link StorageService} as Arrow Flight. Event loops only move bytes: what may read a
 * disk runs on the workers, what may wait for the metadata group on the requests executor.
 */
public final class FlightServer implements AutoCloseable {
    /** What a client may have on its way to us per stream before we have read it. */
    private static final int WINDOW_BYTES = 1 << 20;

    /** Bytes to a slow client that may wait in memory, beside one batch. */
    private static final int READY_BYTES = 512 << 10;

    private static final int STOP_SECONDS = 5;
    private static final String DESCRIBE = new ClusterOperation.DescribeCluster().action();

    private final Server server;
    private final InFlightBudget budget;

    private FlightServer(Server server, InFlightBudget budget) {
        this.server = server;
        this.budget = budget;
    }

    /**
     * What the transport serves, and the threads it does it on.
     *
     * @param introduction what this node tells other nodes about its cluster, even while it is not
     *     ready; may wait
     * @param status what this node says about itself, even while it is not ready
     * @param cluster this node's view of who leads what
     * @param schemas the current schema of a table, by id
     * @param checkpoints what other nodes may fetch, even while this one is not ready
     * @param ready whether everything else is served yet
     */
    public record Served(
            StorageService service,
            Supplier<Introduction> introduction,
            Supplier<NodeStatus> status,
            Supplier<ClusterView> cluster,
            Function<TableId, Schema> schemas,
            CheckpointLeases checkpoints,
            BooleanSupplier ready,
            Executor workers,
            Executor requests) {
        /**
         * @throws StorageException NOT_READY
         */
        void requireReady() {
            if (!ready.getAsBoolean()) {
                throw new StorageException(
                        ErrorCode.NOT_READY,
                        "this node is starting and has not applied everything yet; try again, or"
                                + " ask another node");
            }
        }
    }

    /**
     * Begins to serve.
     *
     * @throws StorageException PORT_IN_USE
     */
    public static FlightServer start(TransportSettings settings, Served served) {
        InFlightBudget budget = new InFlightBudget(settings.nodeInFlightBytes());
        Server server =
                NettyServerBuilder.forAddress(
                                new InetSocketAddress(settings.host(), settings.port()))
                        .directExecutor()
                        .maxInboundMessageSize(settings.largestMessage())
                        .flowControlWindow(WINDOW_BYTES)
                        .keepAliveTime(60, TimeUnit.SECONDS)
                        .keepAliveTimeout(20, TimeUnit.SECONDS)
                        .permitKeepAliveTime(5, TimeUnit.SECONDS)
                        .permitKeepAliveWithoutCalls(true)
                        .addService(service(settings, served, budget))
                        .build();
        try {
            return new FlightServer(server.start(), budget);
        } catch (IOException failure) {
            server.shutdownNow();
            throw cannotListen(settings.host(), settings.port(), failure);
        }
    }

    public int port() {
        return server.getPort();
    }

    /** Bytes of writes and lookups that are not answered yet. */
    public long inFlightBytes() {
        return budget.used();
    }

    /** Bytes of the transport's network buffers. */
    public static MemoryFigures memory() {
        return new MemoryFigures(
                PlatformDependent.usedDirectMemory(), PlatformDependent.maxDirectMemory());
    }

    /** Refuses new calls and ends the open ones. */
    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static ServerServiceDefinition service(
            TransportSettings settings, Served served, InFlightBudget budget) {
        long limit = settings.streamInFlightBytes();
        TicketSource tickets =
                new TicketSource(served.service(), served.schemas(), served.checkpoints());
        GetStream.Source source =
                ticket -> {
                    if (!FileTicket.isOne(ticket.ticket())) {
                        served.requireReady();
                    }
                    return tickets.open(ticket);
                };
        return ServerServiceDefinition.builder(FlightMethods.SERVICE)
                .addMethod(
                        FlightMethods.DO_PUT,
                        whenReady(
                                served,
                                call -> {
                                    PutStream stream =
                                            new PutStream(call, served.service(), budget, limit);
                                    stream.begin();
                                    return stream;
                                }))
                .addMethod(
                        FlightMethods.DO_EXCHANGE,
                        whenReady(
                                served,
                                call -> {
                                    LookupStream stream =
                                            new LookupStream(
                                                    call,
                                                    served.service().kvReader(),
                                                    budget,
                                                    limit);
                                    stream.begin();
                                    return stream;
                                }))
                .addMethod(
                        FlightMethods.DO_GET,
                        (call, headers) -> {
                            call.setOnReadyThreshold(READY_BYTES);
                            GetStream stream = new GetStream(call, source, served.workers());
                            stream.begin();
                            return stream;
                        })
                .addMethod(
                        FlightMethods.DO_ACTION,
                        (call, headers) ->
                                unary(
                                        call,
                                        action -> act(served, action),
                                        action -> executor(served, action)))
                .addMethod(
                        FlightMethods.GET_FLIGHT_INFO,
                        (call, headers) ->
                                unary(
                                        call,
                                        table -> {
                                            served.requireReady();
                                            return FlightInfos.of(served.service(), table);
                                        },
                                        any -> served.requests()))
                .build();
    }

    /**
     * Clients ask who leads to find out whether this node is alive, so the answer must not stand in
     * line behind operations that wait.
     */
    private static Executor executor(Served served, Action action) {
        return action.type().equals(DESCRIBE) ? Runnable::run : served.requests();
    }

    private static <Q, A> ServerCallHandler<Q, A> whenReady(
            Served served, Function<ServerCall<Q, A>, ServerCall.Listener<Q>> begin) {
        return (call, headers) -> {
            try {
                served.requireReady();
            } catch (StorageException starting) {
                Refusal how = Refusal.of(starting);
                call.close(how.status(), how.trailers());
                return new ServerCall.Listener<>() {};
            }
            return begin.apply(call);
        };
    }

    private static <Q, A> ServerCall.Listener<Q> unary(
            ServerCall<Q, A> call, Function<Q, A> work, Function<Q, Executor> executors) {
        UnaryCall<Q, A> unary = new UnaryCall<>(call, work, executors);
        unary.begin();
        return unary;
    }

    private static Result act(Served served, Action action) {
        Optional<PeerOperation> ofPeer = PeerOperation.of(action);
        if (ofPeer.isPresent()) {
            return new Result(ByteBuffer.wrap(ofPeer.get().execute(served.checkpoints())));
        }
        if (action.type().equals(Introduction.ACTION)) {
            return new Result(ByteBuffer.wrap(served.introduction().get().encode()));
        }
        if (action.type().equals(NodeStatus.ACTION)) {
            NodeStatus.checkRequest(action);
            return new Result(ByteBuffer.wrap(served.status().get().encode()));
        }
        served.requireReady();
        byte[] answer =
                AdminOperation.of(action).executeAndEncode(served.service(), served.cluster());
        return new Result(ByteBuffer.wrap(answer));
    }

    /** The error for an address that cannot be listened on. */
    public static StorageException cannotListen(String host, int port, IOException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof BindException)) {
            cause = cause.getCause();
        }
        return new StorageException(
                ErrorCode.PORT_IN_USE,
                "cannot listen on "
                        + host
                        + ":"
                        + port
                        + ": "
                        + cause.getMessage()
                        + "; stop what uses the port, or choose another --port",
                failure);
    }
}
