package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.wire.FlightFrame;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/**
 * A stream of requests, each of which is answered some time later. It takes in the next message
 * only while its own and the node's unanswered bytes are within bounds and the client reads the
 * answers; nothing here blocks. Answers come from any thread.
 */
abstract class AnsweredStream<A> extends ServerCall.Listener<FlightFrame> {
    private static final int MOST_IN_FLIGHT = 1024;

    private final ServerCall<FlightFrame, A> call;
    private final InFlightBudget budget;
    private final long limit;
    private final Runnable roomAgain = this::roomAgain;

    /** Guards the fields below and the use of the call, which is not thread-safe. */
    private final Object lock = new Object();

    private long bytesInFlight;
    private int inFlight;
    private boolean asked;
    private boolean waitsForRoom;
    private boolean halfClosed;
    private boolean ended;

    AnsweredStream(ServerCall<FlightFrame, A> call, InFlightBudget budget, long limit) {
        this.call = call;
        this.budget = budget;
        this.limit = limit;
    }

    /** Handles one request, in order, on the event loop. */
    abstract void handle(FlightFrame frame, Reply<A> reply);

    void begin() {
        synchronized (lock) {
            call.sendHeaders(new Metadata());
        }
        ask();
    }

    @Override
    public void onMessage(FlightFrame frame) {
        long bytes = sizeOf(frame);
        budget.take(bytes);
        synchronized (lock) {
            asked = false;
            inFlight++;
            bytesInFlight += bytes;
        }
        Reply<A> reply = new Reply<>(this, bytes);
        try {
            handle(frame, reply);
        } catch (RuntimeException failure) {
            fail(failure);
            reply.none();
        }
        ask();
    }

    @Override
    public void onHalfClose() {
        synchronized (lock) {
            halfClosed = true;
            closeWhenAnswered();
        }
    }

    @Override
    public void onReady() {
        ask();
    }

    @Override
    public void onCancel() {
        synchronized (lock) {
            ended = true;
        }
    }

    /** Ends the stream with an error. */
    void fail(Throwable failure) {
        Refusal refusal = Refusal.of(failure);
        synchronized (lock) {
            if (!ended) {
                ended = true;
                call.close(refusal.status(), refusal.trailers());
            }
        }
    }

    private void answered(long bytes, A message) {
        synchronized (lock) {
            inFlight--;
            bytesInFlight -= bytes;
            if (!ended && message != null) {
                call.sendMessage(message);
            }
            closeWhenAnswered();
        }
        budget.giveBack(bytes);
        ask();
    }

    private void closeWhenAnswered() {
        synchronized (lock) {
            if (halfClosed && inFlight == 0 && !ended) {
                ended = true;
                call.close(Status.OK, new Metadata());
            }
        }
    }

    private void ask() {
        synchronized (lock) {
            if (!wantsMore() || waitsForRoom) {
                return;
            }
            waitsForRoom = true;
        }
        if (budget.hasRoom(roomAgain)) {
            request();
        }
    }

    /** The node has room again; called once per refusal. */
    private void roomAgain() {
        synchronized (lock) {
            waitsForRoom = false;
        }
        ask();
    }

    private void request() {
        synchronized (lock) {
            waitsForRoom = false;
            if (wantsMore()) {
                asked = true;
                call.request(1);
            }
        }
    }

    private boolean wantsMore() {
        synchronized (lock) {
            return !asked
                    && !halfClosed
                    && !ended
                    && bytesInFlight < limit
                    && inFlight < MOST_IN_FLIGHT
                    && call.isReady();
        }
    }

    private static long sizeOf(FlightFrame frame) {
        return frame.header().remaining()
                + frame.appMetadata().remaining()
                + frame.descriptor().remaining()
                + frame.bodyLength();
    }

    /** Answers one request, once. */
    record Reply<A>(AnsweredStream<A> stream, long bytes) {
        void send(A message) {
            stream.answered(bytes, message);
        }

        /** The request needs no answer. */
        void none() {
            stream.answered(bytes, null);
        }
    }
}
