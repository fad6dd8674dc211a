package io.flinkfluss.storage.client.transport;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.wire.Action;
import io.flinkfluss.storage.api.wire.AdminOperation;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.KvScanTicket;
import io.flinkfluss.storage.api.wire.LookupRequest;
import io.flinkfluss.storage.api.wire.LookupResponse;
import io.flinkfluss.storage.api.wire.PutAck;
import io.flinkfluss.storage.api.wire.PutHeader;
import io.flinkfluss.storage.api.wire.PutResult;
import io.flinkfluss.storage.api.wire.Result;
import io.flinkfluss.storage.api.wire.ScanTicket;
import io.flinkfluss.storage.api.wire.StreamTicket;
import io.flinkfluss.storage.api.wire.Ticket;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** A node on a loopback port that serves any {@link StorageService} and misbehaves as told. */
public final class FakeNode implements AutoCloseable {
    private static final int SHARDS = 2;

    private final StorageService service;
    private final ExecutorService threads =
            Executors.newCachedThreadPool(ClientThreads.named("fake-node"));
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();
    private final FaultScript actions = new FaultScript();
    private final AtomicInteger reads = new AtomicInteger();
    private final FaultScript puts = new FaultScript();
    private final FaultScript batches = new FaultScript();
    private final FaultScript lookups = new FaultScript();
    private volatile Supplier<ClusterView> views = this::alone;
    private volatile boolean leads = true;
    private volatile CountDownLatch awake = new CountDownLatch(0);
    private final BatchPusher pusher = new BatchPusher(threads, batches, this::awaitAwake);
    private Server server;
    private int port;

    public FakeNode(StorageService service) throws IOException {
        this.service = service;
        start();
    }

    public String address() {
        return "localhost:" + port;
    }

    /** The fault of the n-th action from now on, counted from 0. */
    public void onAction(IntFunction<Fault> faults) {
        actions.follow(faults);
    }

    /** The fault of the n-th put from now on, counted from 0. */
    public void onPut(IntFunction<Fault> faults) {
        puts.follow(faults);
    }

    /** The fault of the n-th batch sent to readers from now on, counted from 0. */
    public void onBatch(IntFunction<Fault> faults) {
        batches.follow(faults);
    }

    /** The fault of the n-th lookup message from now on, counted from 0. */
    public void onLookup(IntFunction<Fault> faults) {
        lookups.follow(faults);
    }

    /** What the node says of the cluster from now on; before, that it is alone and leads all. */
    public void views(Supplier<ClusterView> newViews) {
        views = newViews;
    }

    /** Whether it serves what only a leader may, or refuses that with NOT_LEADER. */
    public void leads(boolean newLeads) {
        leads = newLeads;
    }

    /** Keeps its connections, but does nothing until it wakes up: as a stopped process. */
    public void sleep() {
        awake = new CountDownLatch(1);
    }

    /** Goes on with what came meanwhile, as if no time had passed. */
    public void wake() {
        awake.countDown();
    }

    private void awaitAwake() {
        try {
            awake.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void requireLeader() {
        if (!leads) {
            refused.incrementAndGet();
            throw new StorageException(
                    ErrorCode.NOT_LEADER, "the fake node at " + address() + " does not lead");
        }
    }

    public int port() {
        return port;
    }

    /** How many reads were opened so far. */
    public int readCount() {
        synchronized (reads) {
            return reads.get();
        }
    }

    /** Waits until so many reads were opened. */
    public void awaitReads(int count) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        synchronized (reads) {
            while (reads.get() < count && System.nanoTime() < deadline) {
                reads.wait(100);
            }
        }
    }

    /** Waits for so many more actions. */
    public void awaitActions(int more) {
        int wanted = actions.count() + more;
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (actions.count() < wanted && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    public int actionCount() {
        return actions.count();
    }

    /** How many messages were refused because another node leads. */
    public int refusedCount() {
        return refused.get();
    }

    public int connectionCount() {
        return connections.get();
    }

    /** Waits until everything that came was handled, or belongs to a call that was cancelled. */
    public void awaitHandled() {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (waiting.get() > 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    public int putCount() {
        return puts.count();
    }

    public int lookupCount() {
        return lookups.count();
    }

    /** Breaks every connection and stops listening. */
    public void stop() throws InterruptedException {
        server.shutdownNow();
        server.awaitTermination();
    }

    /** Listens again, on the same port. */
    public void start() throws IOException {
        server =
                NettyServerBuilder.forAddress(new InetSocketAddress("localhost", port))
                        .addService(flight())
                        .addTransportFilter(
                                new ServerTransportFilter() {
                                    @Override
                                    public Attributes transportReady(Attributes attributes) {
                                        connections.incrementAndGet();
                                        return attributes;
                                    }
                                })
                        .maxInboundMessageSize(64 << 20)
                        .build()
                        .start();
        port = server.getPort();
    }

    @Override
    public void close() {
        wake();
        server.shutdownNow();
        threads.shutdownNow();
    }

    private ServerServiceDefinition flight() {
        return ServerServiceDefinition.builder("arrow.flight.protocol.FlightService")
                .addMethod(FlightMethods.DO_ACTION, handler(this::act))
                .addMethod(FlightMethods.DO_PUT, handler(this::put))
                .addMethod(FlightMethods.DO_GET, handler(this::get))
                .addMethod(FlightMethods.DO_EXCHANGE, handler(this::exchange))
                .build();
    }

    private interface Handler<Q, A> {
        void handle(Q message, ServerCall<Q, A> call);
    }

    private <Q, A> ServerCallHandler<Q, A> handler(Handler<Q, A> handler) {
        return (call, headers) -> {
            call.sendHeaders(new Metadata());
            call.request(Integer.MAX_VALUE);
            return new ServerCall.Listener<>() {
                @Override
                public void onMessage(Q message) {
                    waiting.incrementAndGet();
                    awaitAwake();
                    try {
                        handler.handle(message, call);
                    } catch (StorageException e) {
                        CallEnd.fail(call, e);
                    } finally {
                        waiting.decrementAndGet();
                    }
                }

                @Override
                public void onHalfClose() {
                    if (call.getMethodDescriptor().getType()
                            == MethodDescriptor.MethodType.BIDI_STREAMING) {
                        CallEnd.close(call, Status.OK, new Metadata());
                    }
                }
            };
        };
    }

    private ClusterView alone() {
        ClusterView.Leadership leader = new ClusterView.Leadership("fake", 1);
        return new ClusterView(
                List.of(new ClusterView.Node("fake", "localhost", port)),
                0,
                leader,
                Collections.nCopies(SHARDS, leader));
    }

    private void act(Action action, ServerCall<Action, Result> call) {
        AdminOperation<?> operation = AdminOperation.of(action);
        if (!(operation instanceof ClusterOperation.DescribeCluster)) {
            requireLeader();
        }
        Fault fault = actions.next();
        if (fault instanceof Fault.BreakBefore) {
            CallEnd.breakOff(call);
        } else if (fault instanceof Fault.Refuse refuse) {
            throw refuse.error();
        } else if (!(fault instanceof Fault.Hold)) {
            byte[] answer = operation.executeAndEncode(service, views);
            if (fault instanceof Fault.BreakAfter) {
                CallEnd.breakOff(call);
            } else {
                call.sendMessage(new Result(ByteBuffer.wrap(answer)));
                CallEnd.close(call, Status.OK, new Metadata());
            }
        }
    }

    private void put(FlightFrame frame, ServerCall<FlightFrame, PutResult> call) {
        if (call.isCancelled()) {
            return;
        }
        Fault fault = puts.next();
        PutHeader header = PutHeader.decode(frame.appMetadata());
        if (fault instanceof Fault.BreakBefore) {
            CallEnd.breakOff(call);
            return;
        } else if (fault instanceof Fault.Hold) {
            return;
        } else if (fault instanceof Fault.Refuse refuse) {
            answer(call, PutAck.failed(header.requestId(), refuse.error()));
            return;
        } else if (!leads) {
            StorageException moved = new StorageException(ErrorCode.NOT_LEADER, "not led here");
            answer(call, PutAck.failed(header.requestId(), moved));
            return;
        }
        CompletableFuture<AppendResult> stored =
                header.kind() == PutHeader.Kind.LOG
                        ? service.logAppender()
                                .append(header.bucket(), header.stamp(), header.arrowBatch(frame))
                        : service.kvWriter()
                                .put(header.bucket(), header.stamp(), header.kvBatch(frame));
        if (fault instanceof Fault.BreakAfter) {
            CallEnd.breakOff(call);
            return;
        } else if (fault instanceof Fault.StoreSilently) {
            return;
        }
        var unused =
                stored.handle(
                        (result, error) -> {
                            answer(
                                    call,
                                    error == null
                                            ? PutAck.stored(header.requestId(), result)
                                            : PutAck.failed(
                                                    header.requestId(), (StorageException) error));
                            return null;
                        });
    }

    private static void answer(ServerCall<FlightFrame, PutResult> call, PutAck ack) {
        try {
            call.sendMessage(new PutResult(ByteBuffer.wrap(ack.encode())));
        } catch (IllegalStateException e) {
            // The connection broke in the meantime.
            return;
        }
    }

    private void get(Ticket ticket, ServerCall<Ticket, FlightFrame> call) {
        if (call.isCancelled()) {
            return;
        }
        StreamTicket read = StreamTicket.decode(ticket.ticket());
        synchronized (reads) {
            reads.incrementAndGet();
            reads.notifyAll();
        }
        if (!(read instanceof ScanTicket scan && scan.request().readFrom() == ReadFrom.ANY)) {
            requireLeader();
        }
        if (read instanceof ScanTicket scan) {
            Batches<LogBatch> source = service.logReader().scan(scan.request());
            pusher.push(call, source, BatchPusher::frame);
        } else if (read instanceof KvScanTicket scan) {
            Batches<RowBatch> source = service.kvReader().scan(scan.request());
            pusher.push(call, source, BatchPusher::frame);
        }
    }

    private void exchange(FlightFrame frame, ServerCall<FlightFrame, FlightFrame> call) {
        Fault fault = lookups.next();
        LookupRequest request = LookupRequest.decode(frame.appMetadata());
        if (fault instanceof Fault.BreakBefore || fault instanceof Fault.BreakAfter) {
            CallEnd.breakOff(call);
        } else if (fault instanceof Fault.Refuse refuse) {
            send(call, LookupResponse.failed(request.requestId(), refuse.error()));
        } else if (!leads) {
            StorageException moved = new StorageException(ErrorCode.NOT_LEADER, "not led here");
            send(call, LookupResponse.failed(request.requestId(), moved));
        } else if (!(fault instanceof Fault.Hold)) {
            var unused =
                    rows(request)
                            .handle(
                                    (rows, error) -> {
                                        send(call, response(request, rows, error));
                                        return null;
                                    });
        }
    }

    private static LookupResponse response(
            LookupRequest request, List<List<EncodedRow>> rows, Throwable error) {
        if (error == null) {
            return LookupResponse.found(request.requestId(), rows);
        }
        Throwable cause = error.getCause() == null ? error : error.getCause();
        return LookupResponse.failed(
                request.requestId(),
                cause instanceof StorageException known
                        ? known
                        : new StorageException(ErrorCode.INTERNAL, cause.toString(), cause));
    }

    private static void send(ServerCall<FlightFrame, FlightFrame> call, LookupResponse response) {
        try {
            call.sendMessage(FlightFrame.ofMetadata(response.encode()));
        } catch (IllegalStateException e) {
            // The connection broke in the meantime.
            return;
        }
    }

    private CompletableFuture<List<List<EncodedRow>>> rows(LookupRequest request) {
        if (request.kind() == LookupRequest.Kind.PREFIXES) {
            List<List<EncodedRow>> rows = new ArrayList<>();
            for (byte[] prefix : request.keys()) {
                rows.add(service.kvReader().prefixLookup(request.bucket(), prefix).join());
            }
            return CompletableFuture.completedFuture(rows);
        }
        return service.kvReader()
                .lookup(request.bucket(), request.keys())
                .thenApply(
                        rows ->
                                rows.stream()
                                        .map(row -> row.map(List::of).orElse(List.of()))
                                        .toList());
    }
}
