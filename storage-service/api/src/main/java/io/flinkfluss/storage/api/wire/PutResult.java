package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;

/** Arrow Flight's {@code PutResult}: one acknowledgement of a DoPut, see {@link PutAck}. */
public record PutResult(ByteBuffer appMetadata) {
    public static PutResult parse(ByteBuffer bytes) {
        ByteBuffer appMetadata = ByteBuffer.allocate(0);
        ProtobufInput input = new ProtobufInput(bytes);
        while (input.next()) {
            if (input.field() == 1) {
                appMetadata = input.bytes();
            }
        }
        return new PutResult(appMetadata);
    }

    public byte[] serialize() {
        return new ProtobufOutput().bytes(1, appMetadata).toByteArray();
    }
}
