package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;

/** Arrow Flight's {@code ActionType}: one answer of ListActions. */
public record ActionType(String type, String description) {
    public static ActionType parse(ByteBuffer bytes) {
        String type = "";
        String description = "";
        ProtobufInput input = new ProtobufInput(bytes);
        while (input.next()) {
            switch (input.field()) {
                case 1 -> type = input.string();
                case 2 -> description = input.string();
                default -> {}
            }
        }
        return new ActionType(type, description);
    }

    public byte[] serialize() {
        return new ProtobufOutput().string(1, type).string(2, description).toByteArray();
    }
}
