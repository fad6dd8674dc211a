package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;

/** Arrow Flight's {@code Result}: the answer of a DoAction, see {@link AdminOperation}. */
public record Result(ByteBuffer body) {
    public static Result parse(ByteBuffer bytes) {
        ByteBuffer body = ByteBuffer.allocate(0);
        ProtobufInput input = new ProtobufInput(bytes);
        while (input.next()) {
            if (input.field() == 1) {
                body = input.bytes();
            }
        }
        return new Result(body);
    }

    public byte[] serialize() {
        return new ProtobufOutput().bytes(1, body).toByteArray();
    }
}
