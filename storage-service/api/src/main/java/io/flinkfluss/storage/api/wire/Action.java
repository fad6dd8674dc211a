package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;

/** Arrow Flight's {@code Action}: the request of a DoAction, see {@link AdminOperation}. */
public record Action(String type, ByteBuffer body) {
    public static Action parse(ByteBuffer bytes) {
        String type = "";
        ByteBuffer body = ByteBuffer.allocate(0);
        ProtobufInput input = new ProtobufInput(bytes);
        while (input.next()) {
            switch (input.field()) {
                case 1 -> type = input.string();
                case 2 -> body = input.bytes();
                default -> {}
            }
        }
        return new Action(type, body);
    }

    public byte[] serialize() {
        return new ProtobufOutput().string(1, type).bytes(2, body).toByteArray();
    }
}
