package io.flinkfluss.storage.server.transport;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/** The server's end of a call, without a network. */
final class FakeCall<Q, A> extends ServerCall<Q, A> {
    final List<A> sent = new ArrayList<>();
    int requested;
    boolean ready = true;
    Status closedWith;

    private final MethodDescriptor<Q, A> method;

    FakeCall(MethodDescriptor<Q, A> method) {
        this.method = method;
    }

    @Override
    public void request(int messages) {
        requested += messages;
    }

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(A message) {
        sent.add(message);
    }

    @Override
    public boolean isReady() {
        return ready;
    }

    @Override
    public void close(Status status, Metadata trailers) {
        closedWith = status;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public MethodDescriptor<Q, A> getMethodDescriptor() {
        return method;
    }
}
