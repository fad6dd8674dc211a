package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes the few protobuf field kinds that Arrow Flight's messages use. Not thread-safe. */
final class ProtobufOutput {
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;

    private final WireOutput output = new WireOutput();

    ProtobufOutput bytes(int field, ByteBuffer value) {
        if (value.hasRemaining()) {
            tag(field, LENGTH_DELIMITED);
            output.writeBytes(value);
        }
        return this;
    }

    ProtobufOutput bytes(int field, byte[] value) {
        return bytes(field, ByteBuffer.wrap(value));
    }

    ProtobufOutput string(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** A message or an element of a repeated field: written even when it is empty. */
    ProtobufOutput element(int field, byte[] value) {
        tag(field, LENGTH_DELIMITED);
        output.writeBytes(value);
        return this;
    }

    ProtobufOutput varint(int field, long value) {
        if (value != 0) {
            tag(field, VARINT);
            output.writeVarint(value);
        }
        return this;
    }

    /** Tag and length of a byte field whose value follows. */
    ProtobufOutput head(int field, long length) {
        tag(field, LENGTH_DELIMITED);
        output.writeVarint(length);
        return this;
    }

    int size() {
        return output.size();
    }

    byte[] toByteArray() {
        return output.toByteArray();
    }

    /** The bytes written so far, valid as long as nothing else is written. */
    ByteBuffer toByteBuffer() {
        return output.toByteBuffer();
    }

    private void tag(int field, int kind) {
        output.writeVarint((long) field << 3 | kind);
    }
}
