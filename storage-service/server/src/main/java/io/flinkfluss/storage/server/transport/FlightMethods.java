package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.wire.Action;
import io.flinkfluss.storage.api.wire.FlightDescriptor;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.FlightInfo;
import io.flinkfluss.storage.api.wire.PutResult;
import io.flinkfluss.storage.api.wire.Result;
import io.flinkfluss.storage.api.wire.Ticket;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/** The methods of Arrow Flight's gRPC service, with our own messages instead of protobuf's. */
final class FlightMethods {
    static final String SERVICE = "arrow.flight.protocol.FlightService";

    private static final Codec<FlightFrame> FRAME =
            new Codec<>(FlightFrame::serialize, FlightFrame::parse);

    static final MethodDescriptor<FlightFrame, PutResult> DO_PUT =
            method(
                    "DoPut",
                    MethodType.BIDI_STREAMING,
                    FRAME,
                    new Codec<>(result -> one(result.serialize()), PutResult::parse));
    static final MethodDescriptor<FlightFrame, FlightFrame> DO_EXCHANGE =
            method("DoExchange", MethodType.BIDI_STREAMING, FRAME, FRAME);
    static final MethodDescriptor<Ticket, FlightFrame> DO_GET =
            method(
                    "DoGet",
                    MethodType.SERVER_STREAMING,
                    new Codec<>(ticket -> one(ticket.serialize()), Ticket::parse),
                    FRAME);
    static final MethodDescriptor<Action, Result> DO_ACTION =
            method(
                    "DoAction",
                    MethodType.SERVER_STREAMING,
                    new Codec<>(action -> one(action.serialize()), Action::parse),
                    new Codec<>(result -> one(result.serialize()), Result::parse));
    static final MethodDescriptor<FlightDescriptor, FlightInfo> GET_FLIGHT_INFO =
            method(
                    "GetFlightInfo",
                    MethodType.UNARY,
                    new Codec<>(descriptor -> one(descriptor.serialize()), FlightDescriptor::parse),
                    new Codec<>(info -> one(info.serialize()), FlightInfo::parse));

    private FlightMethods() {}

    private static <Q, A> MethodDescriptor<Q, A> method(
            String name, MethodType type, Codec<Q> request, Codec<A> response) {
        return MethodDescriptor.<Q, A>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(request)
                .setResponseMarshaller(response)
                .build();
    }

    private static List<ByteBuffer> one(byte[] bytes) {
        return List.of(ByteBuffer.wrap(bytes));
    }

    /** Takes a message's buffers as they are; copies received bytes once, out of gRPC's buffers. */
    private record Codec<M>(Function<M, List<ByteBuffer>> writer, Function<ByteBuffer, M> reader)
            implements MethodDescriptor.Marshaller<M> {
        @Override
        public InputStream stream(M message) {
            return new BuffersStream(writer.apply(message));
        }

        @Override
        public M parse(InputStream stream) {
            try {
                byte[] bytes = new byte[stream.available()];
                int length = stream.readNBytes(bytes, 0, bytes.length);
                return reader.apply(ByteBuffer.wrap(bytes, 0, length));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
