package io.flinkfluss.storage.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.grpc.Metadata;
import io.grpc.Status;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class CallFailureTest {
    private static CallFailure of(Status status) {
        return CallFailure.of("a write", "host:1", status, new Metadata());
    }

    @Test
    void aConnectionThatClosedAtABadMomentIsABrokenConnection() {
        CallFailure failure =
                of(
                        Status.UNKNOWN
                                .withDescription("channel closed")
                                .withCause(new ClosedChannelException()));

        assertThat(failure.error().code()).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(failure.error().isWorthRepeating()).isTrue();
        assertThat(failure.outcomeKnown()).isFalse();
    }

    @Test
    void aNodesUnknownErrorIsNot() {
        CallFailure failure = of(Status.UNKNOWN.withDescription("Application error"));

        assertThat(failure.error().code()).isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void whatNeverConnectedHadNoEffect() {
        CallFailure failure = of(Status.UNAVAILABLE.withCause(new ConnectException("refused")));

        assertThat(failure.error().code()).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(failure.outcomeKnown()).isTrue();
    }
}
