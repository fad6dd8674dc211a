package io.flinkfluss.storage.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.PutResult;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnsweredStreamTest {
    private final InFlightBudget budget = new InFlightBudget(100);
    private final FakeCall<FlightFrame, PutResult> call = new FakeCall<>(FlightMethods.DO_PUT);
    private final Recorder stream = begin(call, 50);

    @Test
    void readsOnUntilTheStreamsShareIsUsedAndAgainAfterAnAnswer() {
        assertThat(call.requested).isEqualTo(1);
        stream.onMessage(frame(30));
        assertThat(call.requested).isEqualTo(2);
        stream.onMessage(frame(30));
        assertThat(call.requested).isEqualTo(2);

        stream.answer(0);

        assertThat(call.requested).isEqualTo(3);
        assertThat(call.sent).hasSize(1);
        assertThat(budget.used()).isEqualTo(30);
    }

    @Test
    void stopsReadingWhileTheNodeHasNoRoom() {
        budget.take(100);
        stream.onMessage(frame(10));
        assertThat(call.requested).isEqualTo(1);

        budget.giveBack(100);

        assertThat(call.requested).isEqualTo(2);
    }

    @Test
    void stopsReadingWhileTheClientDoesNotReadAnswers() {
        call.ready = false;
        stream.onMessage(frame(1));
        stream.answer(0);
        assertThat(call.requested).isEqualTo(1);

        call.ready = true;
        stream.onReady();

        assertThat(call.requested).isEqualTo(2);
    }

    @Test
    void endsAfterTheLastAnswer() {
        stream.onMessage(frame(1));
        stream.onHalfClose();
        assertThat(call.closedWith).isNull();

        stream.answer(0);

        assertThat(call.closedWith).isEqualTo(Status.OK);
    }

    @Test
    void anAnswerToAClientThatLeftOnlyMakesRoom() {
        stream.onMessage(frame(10));
        stream.onCancel();

        stream.answer(0);

        assertThat(call.sent).isEmpty();
        assertThat(budget.used()).isZero();
    }

    @Test
    void aRequestThatMakesNoSenseEndsTheStreamAndMakesRoom() {
        stream.failure = new StorageException(ErrorCode.INVALID_REQUEST, "nonsense");

        stream.onMessage(frame(10));

        assertThat(call.closedWith.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(call.closedWith.getDescription()).isEqualTo("nonsense");
        assertThat(budget.used()).isZero();
    }

    private Recorder begin(FakeCall<FlightFrame, PutResult> fake, long limit) {
        Recorder recorder = new Recorder(fake, budget, limit);
        recorder.begin();
        return recorder;
    }

    private static FlightFrame frame(int bytes) {
        return FlightFrame.ofMetadata(new byte[bytes]);
    }

    private static final class Recorder extends AnsweredStream<PutResult> {
        private final List<Reply<PutResult>> replies = new ArrayList<>();
        private RuntimeException failure;

        Recorder(FakeCall<FlightFrame, PutResult> call, InFlightBudget budget, long limit) {
            super(call, budget, limit);
        }

        @Override
        void handle(FlightFrame frame, Reply<PutResult> reply) {
            if (failure != null) {
                throw failure;
            }
            replies.add(reply);
        }

        void answer(int index) {
            replies.get(index).send(new PutResult(ByteBuffer.allocate(0)));
        }
    }
}
