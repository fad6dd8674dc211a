package io.flinkfluss.storage.server.transport;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** One request, one answer, worked out on an executor if it may block. */
final class UnaryCall<Q, A> extends ServerCall.Listener<Q> {
    private final ServerCall<Q, A> call;
    private final Function<Q, A> work;
    private final Function<Q, Executor> executors;
    private Q request;
    private volatile boolean cancelled;

    UnaryCall(ServerCall<Q, A> call, Function<Q, A> work, Function<Q, Executor> executors) {
        this.call = call;
        this.work = work;
        this.executors = executors;
    }

    void begin() {
        call.request(2);
    }

    @Override
    public void onMessage(Q message) {
        request = message;
    }

    @Override
    public void onHalfClose() {
        try {
            executors.apply(request).execute(this::run);
        } catch (RuntimeException refused) {
            close(Refusal.of(refused));
        }
    }

    @Override
    public void onCancel() {
        cancelled = true;
    }

    private void run() {
        A answer;
        try {
            answer = work.apply(request);
        } catch (RuntimeException | Error failure) {
            close(Refusal.of(failure));
            return;
        }
        if (!cancelled) {
            call.sendHeaders(new Metadata());
            call.sendMessage(answer);
        }
        close(new Refusal(Status.OK, new Metadata()));
    }

    private void close(Refusal how) {
        if (!cancelled) {
            call.close(how.status(), how.trailers());
        }
    }
}
