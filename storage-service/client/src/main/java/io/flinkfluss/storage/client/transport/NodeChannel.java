package io.flinkfluss.storage.client.transport;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.Action;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.PutResult;
import io.flinkfluss.storage.api.wire.Result;
import io.flinkfluss.storage.api.wire.Ticket;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One node; connects when first used and again after each failure. Any thread may use it. */
public final class NodeChannel {
    private final String address;
    private volatile ManagedChannel channel;

    NodeChannel(String address, ManagedChannel channel) {
        this.address = address;
        this.channel = channel;
    }

    /** {@code host:port} */
    public String address() {
        return address;
    }

    /** Lets the next call try to connect at once, instead of failing while a pause lasts. */
    public void reconnectNow() {
        channel.resetConnectBackoff();
    }

    public MessageStream<FlightFrame> put(StreamListener<PutResult> listener) {
        return open("a write", FlightMethods.DO_PUT, listener);
    }

    public MessageStream<FlightFrame> exchange(StreamListener<FlightFrame> listener) {
        return open("a lookup", FlightMethods.DO_EXCHANGE, listener);
    }

    /** A read; no message comes before it is {@link MessageStream#request requested}. */
    public MessageStream<Ticket> get(Ticket ticket, StreamListener<FlightFrame> listener) {
        MessageStream<Ticket> stream = open("a read", FlightMethods.DO_GET, listener);
        stream.sendOnly(ticket);
        return stream;
    }

    /**
     * Sends an action.
     *
     * @param repeatable whether the caller may send it again after an unknown outcome
     */
    public PendingAnswer ask(Action action, Duration timeout, Repeat repeatable) {
        CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
        ClientCall<Action, Result> call =
                channel.newCall(
                        FlightMethods.DO_ACTION,
                        CallOptions.DEFAULT.withDeadlineAfter(
                                Math.max(1, timeout.toMillis()), TimeUnit.MILLISECONDS));
        call.start(new AnswerListener(action.type(), repeatable, answer), new Metadata());
        call.request(2);
        call.sendMessage(action);
        call.halfClose();
        return new PendingAnswer(action.type() + " at " + address, call, answer);
    }

    /** Uses another connection from now on. @return the one that was used before */
    ManagedChannel replace(ManagedChannel newer) {
        ManagedChannel before = channel;
        channel = newer;
        return before;
    }

    /** Whether doing something twice is the same as doing it once. */
    public enum Repeat {
        ALLOWED,
        FORBIDDEN;

        public static Repeat of(boolean repeatable) {
            return repeatable ? ALLOWED : FORBIDDEN;
        }
    }

    private <Q, A> MessageStream<Q> open(
            String what, MethodDescriptor<Q, A> method, StreamListener<A> listener) {
        ClientCall<Q, A> call = channel.newCall(method, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<A>() {
                    @Override
                    public void onMessage(A message) {
                        listener.onMessage(message);
                    }

                    @Override
                    public void onReady() {
                        listener.onReady();
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        listener.onClosed(
                                status.isOk()
                                        ? Optional.empty()
                                        : Optional.of(
                                                CallFailure.of(what, address, status, trailers)));
                    }
                },
                new Metadata());
        if (method.getType().clientSendsOneMessage()) {
            return new MessageStream<>(call);
        }
        call.request(Integer.MAX_VALUE);
        return new MessageStream<>(call);
    }

    private final class AnswerListener extends ClientCall.Listener<Result> {
        private final String what;
        private final Repeat repeatable;
        private final CompletableFuture<ByteBuffer> answer;
        private ByteBuffer body;

        AnswerListener(String what, Repeat repeatable, CompletableFuture<ByteBuffer> answer) {
            this.what = what;
            this.repeatable = repeatable;
            this.answer = answer;
        }

        @Override
        public void onMessage(Result message) {
            body = message.body();
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (status.isOk() && body != null) {
                answer.complete(body);
            } else if (status.isOk()) {
                answer.completeExceptionally(
                        new StorageException(
                                ErrorCode.INTERNAL, what + " at " + address + " gave no answer"));
            } else {
                answer.completeExceptionally(
                        error(CallFailure.of(what, address, status, trailers)));
            }
        }

        private StorageException error(CallFailure failure) {
            if (failure.outcomeKnown() || repeatable == Repeat.ALLOWED) {
                return failure.error();
            }
            return new StorageException(
                    ErrorCode.TIMEOUT,
                    what
                            + " at "
                            + address
                            + " may or may not have taken effect: "
                            + failure.error().getMessage()
                            + " Check before you send it again.",
                    failure.error());
        }
    }
}
