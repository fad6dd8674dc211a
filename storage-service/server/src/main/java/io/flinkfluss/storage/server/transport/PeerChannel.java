package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.Action;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.NodeStatus;
import io.flinkfluss.storage.api.wire.Result;
import io.flinkfluss.storage.api.wire.Ticket;
import io.flinkfluss.storage.server.membership.Introduction;
import io.flinkfluss.storage.server.transfer.CheckpointListing;
import io.flinkfluss.storage.server.transfer.FileChunk;
import io.flinkfluss.storage.server.transfer.FileTicket;
import io.flinkfluss.storage.server.transfer.PeerCheckpoints;
import io.flinkfluss.storage.server.transfer.PeerOperation;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A connection to another node of the cluster. */
public final class PeerChannel implements PeerCheckpoints {
    private static final long CALL_SECONDS = 60;

    /** For one batch of files; what was received by then is kept. */
    private static final long READ_SECONDS = 600;

    /** So long nothing may come before the node is asked whether it is there. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private static final Duration SIGN_OF_LIFE = Duration.ofMillis(1_500);
    private static final int STOP_SECONDS = 5;
    private static final int LARGEST_MESSAGE = 64 << 20;

    private final String address;
    private final ManagedChannel channel;

    private PeerChannel(String address) {
        this.address = address;
        channel =
                NettyChannelBuilder.forTarget(address)
                        .usePlaintext()
                        .maxInboundMessageSize(LARGEST_MESSAGE)
                        .keepAliveTime(20, TimeUnit.SECONDS)
                        .keepAliveTimeout(20, TimeUnit.SECONDS)
                        .disableRetry()
                        .build();
    }

    /**
     * Connects when it is used first.
     *
     * @param address host and port where the node serves clients
     */
    public static PeerCheckpoints connect(String address) {
        return new PeerChannel(address);
    }

    /**
     * Asks a node who it is.
     *
     * @throws StorageException UNREACHABLE when it does not answer by the deadline
     */
    public static Introduction introduction(String address, Duration deadline) {
        try (PeerChannel channel = new PeerChannel(address)) {
            return Introduction.decode(channel.ask(Introduction.request(), deadline));
        }
    }

    /**
     * Asks a node how it is.
     *
     * @throws StorageException UNREACHABLE when it does not answer by the deadline
     */
    public static NodeStatus status(String address, Duration deadline) {
        try (PeerChannel channel = new PeerChannel(address)) {
            return NodeStatus.decode(channel.ask(NodeStatus.request(), deadline));
        }
    }

    @Override
    public CheckpointListing lease(String group, long leastIndex) {
        return CheckpointListing.decode(ask(new PeerOperation.Lease(group, leastIndex)));
    }

    @Override
    public List<Long> checksums(long lease, List<Integer> files) {
        List<Long> sums =
                PeerOperation.Checksums.answer(ask(new PeerOperation.Checksums(lease, files)));
        if (sums.size() != files.size()) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    address
                            + " sent "
                            + sums.size()
                            + " checksums where "
                            + files.size()
                            + " were asked for");
        }
        return sums;
    }

    @Override
    public void release(long lease) {
        ask(new PeerOperation.Release(lease));
    }

    private ByteBuffer ask(PeerOperation operation) {
        BlockingClientCall<Action, Result> call =
                ClientCalls.blockingV2ServerStreamingCall(
                        channel,
                        FlightMethods.DO_ACTION,
                        CallOptions.DEFAULT.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS),
                        operation.toAction());
        Result result = next(call);
        if (result == null) {
            throw new StorageException(
                    ErrorCode.UNREACHABLE, "the node at " + address + " ended without an answer");
        }
        return result.body();
    }

    /**
     * What comes next, null at the end. Some answers take long, and a file is sent as fast as the
     * disks allow; but a node that does not even say how it is will not send anything either, and
     * others may have what is needed.
     */
    private <T> T next(BlockingClientCall<?, T> call) {
        while (true) {
            try {
                return call.read(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException nothing) {
                requireSignOfLife(call);
            } catch (StatusException failure) {
                throw error(failure.getStatus().asRuntimeException(failure.getTrailers()));
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                call.cancel("the server is stopping", stopping);
                throw new StorageException(ErrorCode.CLOSED, "the server is stopping", stopping);
            }
        }
    }

    private void requireSignOfLife(BlockingClientCall<?, ?> call) {
        try {
            var unused = ask(NodeStatus.request(), SIGN_OF_LIFE);
        } catch (StorageException silent) {
            if (silent.code() == ErrorCode.UNREACHABLE) {
                call.cancel("the node is silent", silent);
                throw silent;
            }
        }
    }

    private ByteBuffer ask(Action action, Duration deadline) {
        try {
            Result result =
                    ClientCalls.blockingServerStreamingCall(
                                    channel,
                                    FlightMethods.DO_ACTION,
                                    CallOptions.DEFAULT.withDeadlineAfter(
                                            deadline.toMillis(), TimeUnit.MILLISECONDS),
                                    action)
                            .next();
            return result.body();
        } catch (StatusRuntimeException failure) {
            throw error(failure);
        }
    }

    @Override
    public void read(FileTicket ticket, Consumer<FileChunk> receiver) {
        BlockingClientCall<Ticket, FlightFrame> call =
                ClientCalls.blockingV2ServerStreamingCall(
                        channel,
                        FlightMethods.DO_GET,
                        CallOptions.DEFAULT.withDeadlineAfter(READ_SECONDS, TimeUnit.SECONDS),
                        new Ticket(ByteBuffer.wrap(ticket.encode())));
        try {
            for (FlightFrame frame = next(call); frame != null; frame = next(call)) {
                if (frame.hasAppMetadata()) {
                    receiver.accept(FileChunk.decode(frame.appMetadata(), frame.body()));
                }
            }
        } catch (RuntimeException failure) {
            call.cancel("the receiver gave up", failure);
            throw failure;
        }
    }

    private StorageException error(StatusRuntimeException failure) {
        return Refusal.received(failure)
                .orElseGet(
                        () ->
                                new StorageException(
                                        ErrorCode.UNREACHABLE,
                                        "the node at "
                                                + address
                                                + " did not answer: "
                                                + reason(failure.getStatus()),
                                        failure));
    }

    /** In one line; the log has the rest. */
    private static String reason(Status status) {
        String description =
                status.getDescription() == null ? status.getCode().name() : status.getDescription();
        Throwable cause = status.getCause();
        return cause == null || cause.getMessage() == null
                ? description
                : description + ", " + cause.getMessage();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        try {
            channel.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
