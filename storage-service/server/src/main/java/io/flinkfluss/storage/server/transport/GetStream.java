package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.Ticket;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A DoGet: pushes frames while the client has room for them, as the rows come. All reading happens
 * on the workers, one at a time per stream; an idle stream costs no thread.
 */
final class GetStream extends ServerCall.Listener<Ticket> {
    /** A stream lets others work after so many bytes. */
    private static final long TURN_BYTES = 4L << 20;

    private final ServerCall<Ticket, FlightFrame> call;
    private final Source source;
    private final Executor workers;
    private final AtomicInteger signals = new AtomicInteger();
    private volatile Ticket ticket;
    private volatile boolean cancelled;

    /** Used by the running turn only. */
    private Batches<FlightFrame> frames;

    private boolean ended;

    GetStream(ServerCall<Ticket, FlightFrame> call, Source source, Executor workers) {
        this.call = call;
        this.source = source;
        this.workers = workers;
    }

    void begin() {
        call.request(2);
    }

    @Override
    public void onMessage(Ticket message) {
        ticket = message;
    }

    @Override
    public void onHalfClose() {
        signal();
    }

    @Override
    public void onReady() {
        if (ticket != null) {
            signal();
        }
    }

    @Override
    public void onCancel() {
        cancelled = true;
        signal();
    }

    /** There may be something to do. */
    private void signal() {
        if (signals.getAndIncrement() == 0) {
            schedule();
        }
    }

    private void schedule() {
        try {
            workers.execute(this::turn);
        } catch (RuntimeException refused) {
            // Nobody else runs a turn now, so the fields are ours.
            end(Refusal.of(refused));
        }
    }

    private void turn() {
        int seen = signals.get();
        boolean more = false;
        try {
            more = !ended && work();
        } catch (RuntimeException | Error failure) {
            end(Refusal.of(failure));
        }
        if (signals.addAndGet(-seen) != 0) {
            schedule();
        } else if (more) {
            signal();
        }
    }

    /** Returns whether there is certainly more to do. */
    private boolean work() {
        if (cancelled) {
            end(null);
            return false;
        }
        if (frames == null) {
            if (ticket == null) {
                return false;
            }
            open();
        }
        long sent = 0;
        while (call.isReady()) {
            Optional<FlightFrame> next = frames.poll();
            if (next.isEmpty()) {
                if (frames.isFinished()) {
                    end(new Refusal(Status.OK, new Metadata()));
                }
                return false;
            }
            FlightFrame frame = next.get();
            call.sendMessage(frame);
            sent += frame.bodyLength();
            // One without rows may stand for as much that was read and left out.
            boolean hasRows = frame.header().hasRemaining() || frame.bodyLength() > 0;
            if (sent > TURN_BYTES || !hasRows) {
                return true;
            }
        }
        return false;
    }

    private void open() {
        Source.Opened opened = source.open(ticket);
        frames = opened.frames();
        call.sendHeaders(new Metadata());
        call.sendMessage(opened.schema());
        frames.onAvailable(this::signal);
    }

    /**
     * @param how null when the client has gone already
     */
    private void end(Refusal how) {
        if (ended) {
            return;
        }
        ended = true;
        if (frames != null) {
            frames.close();
        }
        if (how != null && !cancelled) {
            call.close(how.status(), how.trailers());
        }
    }

    /** Begins reads. */
    interface Source {
        Opened open(Ticket ticket);

        /** A read with the frame that says what the columns are. */
        record Opened(FlightFrame schema, Batches<FlightFrame> frames) {}
    }
}
