package io.flinkfluss.storage.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FlightFrameTest {
    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static ByteBuffer joined(List<ByteBuffer> buffers) {
        ByteBuffer all =
                ByteBuffer.allocate(buffers.stream().mapToInt(ByteBuffer::remaining).sum());
        buffers.forEach(all::put);
        return all.flip();
    }

    @Test
    void aFrameHasProtobufsBytes() {
        // Given the bytes that protobuf gives FlightData{2: "h", 3: "m", 1000: "b"}
        byte[] expected = {0x12, 1, 'h', 0x1A, 1, 'm', (byte) 0xC2, 0x3E, 1, 'b'};
        FlightFrame frame = FlightFrame.of(bytes("h"), new byte[] {'m'}, List.of(bytes("b")));
        assertThat(joined(frame.serialize())).isEqualTo(ByteBuffer.wrap(expected));
    }

    @Test
    void aFrameComesBackAsSlicesOfTheReceivedBytes() {
        FlightFrame frame =
                FlightFrame.of(
                        bytes("header"), new byte[] {7}, List.of(bytes("first"), bytes("+")));
        byte[] received = joined(frame.serialize()).array();
        FlightFrame parsed = FlightFrame.parse(ByteBuffer.wrap(received));
        assertThat(parsed.header()).isEqualTo(bytes("header"));
        assertThat(parsed.appMetadata()).isEqualTo(ByteBuffer.wrap(new byte[] {7}));
        assertThat(parsed.body()).isEqualTo(bytes("first+"));
        assertThat(parsed.body().array()).isSameAs(received);
        assertThat(parsed.hasDescriptor()).isFalse();
    }

    @Test
    void sendingDoesNotMoveTheCallersBuffers() {
        ByteBuffer body = bytes("body");
        FlightFrame frame = FlightFrame.ofBody(new byte[] {1}, body);
        joined(frame.serialize());
        assertThat(joined(frame.serialize()).remaining()).isPositive();
        assertThat(body.remaining()).isEqualTo(4);
    }

    @Test
    void unknownFieldsOfEveryKindAreSkipped() {
        ProtobufOutput output = new ProtobufOutput();
        output.varint(77, 300).string(78, "unknown").bytes(3, bytes("mine"));
        FlightFrame parsed = FlightFrame.parse(ByteBuffer.wrap(output.toByteArray()));
        assertThat(parsed.appMetadata()).isEqualTo(bytes("mine"));
        byte[] fixed = {(9 << 3) | 5, 1, 2, 3, 4, (9 << 3) | 1, 1, 2, 3, 4, 5, 6, 7, 8, 0x1A, 1, 9};
        assertThat(FlightFrame.parse(ByteBuffer.wrap(fixed)).appMetadata().get(0))
                .isEqualTo((byte) 9);
    }

    @Test
    void aFrameThatEndsEarlyIsRefused() {
        byte[] whole =
                joined(
                                FlightFrame.of(bytes("h"), new byte[] {1}, List.of(bytes("body")))
                                        .serialize())
                        .array();
        for (int length = whole.length - 1; length > whole.length - 4; length--) {
            ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> FlightFrame.parse(cut))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA));
        }
    }

    @Test
    void flightsSmallMessagesComeBack() {
        assertThat(Ticket.parse(ByteBuffer.wrap(new Ticket(bytes("t")).serialize())).ticket())
                .isEqualTo(bytes("t"));
        FlightDescriptor descriptor = FlightDescriptor.ofPath("db", "", "3");
        assertThat(FlightDescriptor.parse(ByteBuffer.wrap(descriptor.serialize())))
                .isEqualTo(descriptor);
        Action action = new Action("fluss.x", bytes("body"));
        assertThat(Action.parse(ByteBuffer.wrap(action.serialize()))).isEqualTo(action);
        ActionType type = new ActionType("fluss.x", "does x");
        assertThat(ActionType.parse(ByteBuffer.wrap(type.serialize()))).isEqualTo(type);
        Result result = new Result(bytes("r"));
        assertThat(Result.parse(ByteBuffer.wrap(result.serialize()))).isEqualTo(result);
        PutResult put = new PutResult(bytes("p"));
        assertThat(PutResult.parse(ByteBuffer.wrap(put.serialize()))).isEqualTo(put);
        FlightInfo info =
                new FlightInfo(
                        bytes("schema"),
                        descriptor,
                        List.of(
                                new FlightInfo.Endpoint(
                                        new Ticket(bytes("one")), List.of("grpc+tcp://h:1", "b")),
                                new FlightInfo.Endpoint(new Ticket(bytes("two")), List.of())),
                        -1,
                        42);
        assertThat(FlightInfo.parse(ByteBuffer.wrap(info.serialize()))).isEqualTo(info);
    }
}
