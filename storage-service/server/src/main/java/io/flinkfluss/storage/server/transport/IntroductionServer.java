package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.Action;
import io.flinkfluss.storage.api.wire.Result;
import io.flinkfluss.storage.server.membership.Introduction;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Stands where the {@link FlightServer} will, while it is not decided which cluster the node is
 * part of: tells who the node is and refuses everything else with NOT_READY.
 */
public final class IntroductionServer implements AutoCloseable {
    private static final int STOP_SECONDS = 5;

    private final Server server;

    private IntroductionServer(Server server) {
        this.server = server;
    }

    /**
     * @param introduction must not block
     * @param waitingFor told to everybody else
     * @throws StorageException PORT_IN_USE
     */
    public static IntroductionServer start(
            String host,
            int port,
            Supplier<Introduction> introduction,
            Supplier<String> waitingFor) {
        Server server =
                NettyServerBuilder.forAddress(new InetSocketAddress(host, port))
                        .directExecutor()
                        .addService(
                                ServerServiceDefinition.builder(FlightMethods.SERVICE)
                                        .addMethod(
                                                FlightMethods.DO_ACTION,
                                                (call, headers) -> {
                                                    UnaryCall<Action, Result> unary =
                                                            new UnaryCall<>(
                                                                    call,
                                                                    action ->
                                                                            act(
                                                                                    action,
                                                                                    introduction,
                                                                                    waitingFor),
                                                                    action -> Runnable::run);
                                                    unary.begin();
                                                    return unary;
                                                })
                                        .build())
                        .build();
        try {
            return new IntroductionServer(server.start());
        } catch (IOException failure) {
            server.shutdownNow();
            throw FlightServer.cannotListen(host, port, failure);
        }
    }

    private static Result act(
            Action action, Supplier<Introduction> introduction, Supplier<String> waitingFor) {
        if (action.type().equals(Introduction.ACTION)) {
            return new Result(ByteBuffer.wrap(introduction.get().encode()));
        }
        throw new StorageException(
                ErrorCode.NOT_READY, "this node is new and waits: " + waitingFor.get());
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
