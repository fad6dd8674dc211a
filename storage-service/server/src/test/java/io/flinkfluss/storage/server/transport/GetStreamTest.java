package io.flinkfluss.storage.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.Ticket;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GetStreamTest {
    private static final FlightFrame FRAME = FlightFrame.ofMetadata(new byte[] {1});
    private static final FlightFrame LARGE =
            FlightFrame.ofBody(new byte[0], ByteBuffer.allocate(5 << 20));

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final FakeCall<Ticket, FlightFrame> call = new FakeCall<>(FlightMethods.DO_GET);
    private final Frames frames = new Frames();
    private final GetStream stream =
            new GetStream(call, ticket -> new GetStream.Source.Opened(FRAME, frames), tasks::add);

    @Test
    void beginsWithTheSchemaAndPushesWhatComes() {
        ask();
        runAll();
        assertThat(call.sent).containsExactly(FRAME);

        frames.add(FRAME);
        runAll();

        assertThat(call.sent).hasSize(2);
        assertThat(call.closedWith).isNull();
    }

    @Test
    void readsNothingWhileTheClientHasNoRoom() {
        call.ready = false;
        ask();
        frames.add(FRAME);
        runAll();
        assertThat(call.sent).hasSize(1);

        call.ready = true;
        stream.onReady();
        runAll();

        assertThat(call.sent).hasSize(2);
    }

    @Test
    void letsOthersWorkAfterAFewMegabytes() {
        frames.add(LARGE);
        frames.add(LARGE);
        ask();

        tasks.remove().run();
        assertThat(call.sent).hasSize(2);
        runAll();

        assertThat(call.sent).hasSize(3);
    }

    @Test
    void letsOthersWorkAfterAFrameWithoutRows() {
        frames.add(FRAME);
        frames.add(FRAME);
        ask();

        tasks.remove().run();
        assertThat(call.sent).hasSize(2);
        runAll();

        assertThat(call.sent).hasSize(3);
    }

    @Test
    void endsAtTheEnd() {
        frames.add(FRAME);
        frames.finished = true;
        ask();
        runAll();

        assertThat(call.closedWith).isEqualTo(Status.OK);
        assertThat(frames.closed).isTrue();
    }

    @Test
    void aFailedReadTellsTheClientWhy() {
        frames.failure = new StorageException(ErrorCode.TABLE_NOT_FOUND, "gone");
        ask();
        runAll();

        assertThat(call.closedWith.getCode()).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(frames.closed).isTrue();
    }

    @Test
    void aClientThatLeavesClosesTheRead() {
        ask();
        runAll();
        stream.onCancel();
        runAll();

        assertThat(frames.closed).isTrue();
        assertThat(call.closedWith).isNull();
    }

    private void ask() {
        stream.begin();
        stream.onMessage(new Ticket(ByteBuffer.allocate(0)));
        stream.onHalfClose();
    }

    private void runAll() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    private static final class Frames implements Batches<FlightFrame> {
        private final Deque<FlightFrame> waiting = new ArrayDeque<>();
        private Runnable listener = () -> {};
        private StorageException failure;
        private boolean finished;
        private boolean closed;

        void add(FlightFrame frame) {
            waiting.add(frame);
            listener.run();
        }

        @Override
        public Optional<FlightFrame> poll() {
            if (failure != null) {
                throw failure;
            }
            return Optional.ofNullable(waiting.poll());
        }

        @Override
        public Optional<FlightFrame> poll(Duration timeout) {
            return poll();
        }

        @Override
        public boolean isFinished() {
            return finished && waiting.isEmpty();
        }

        @Override
        public void onAvailable(Runnable newListener) {
            listener = newListener;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
