package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.PutAck;
import io.flinkfluss.storage.api.wire.PutHeader;
import io.flinkfluss.storage.api.wire.PutResult;
import io.grpc.ServerCall;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * A DoPut: batches of many buckets with our headers, or of one bucket from any Flight client, which
 * names it in a descriptor first.
 */
final class PutStream extends AnsweredStream<PutResult> {
    private final StorageService service;
    private PlainPut plain;

    PutStream(
            ServerCall<FlightFrame, PutResult> call,
            StorageService service,
            InFlightBudget budget,
            long limit) {
        super(call, budget, limit);
        this.service = service;
    }

    @Override
    void handle(FlightFrame frame, Reply<PutResult> reply) {
        if (frame.hasAppMetadata()) {
            put(frame, reply);
        } else if (frame.hasDescriptor()) {
            plain = PlainPut.begin(service.admin(), frame);
            reply.none();
        } else {
            putPlain(frame, reply);
        }
    }

    private void put(FlightFrame frame, Reply<PutResult> reply) {
        PutHeader header = PutHeader.decode(frame.appMetadata());
        CompletableFuture<AppendResult> stored =
                switch (header.kind()) {
                    case LOG ->
                            service.logAppender()
                                    .append(
                                            header.bucket(),
                                            header.stamp(),
                                            header.arrowBatch(frame));
                    case KV ->
                            service.kvWriter()
                                    .put(header.bucket(), header.stamp(), header.kvBatch(frame));
                };
        CompletableFuture<AppendResult> unused =
                stored.whenComplete(
                        (result, failure) ->
                                reply.send(
                                        message(
                                                failure == null
                                                        ? PutAck.stored(header.requestId(), result)
                                                        : PutAck.failed(
                                                                header.requestId(),
                                                                Refusal.error(failure)))));
    }

    private void putPlain(FlightFrame frame, Reply<PutResult> reply) {
        if (plain == null) {
            throw PlainPut.noDescriptor();
        }
        if (plain.isEmpty(frame)) {
            reply.none();
            return;
        }
        CompletableFuture<AppendResult> unused =
                plain.append(service.logAppender(), frame)
                        .whenComplete(
                                (result, failure) -> {
                                    if (failure != null) {
                                        fail(failure);
                                        reply.none();
                                    } else {
                                        reply.send(message(PutAck.stored(0, result)));
                                    }
                                });
    }

    private static PutResult message(PutAck ack) {
        return new PutResult(ByteBuffer.wrap(ack.encode()));
    }
}
