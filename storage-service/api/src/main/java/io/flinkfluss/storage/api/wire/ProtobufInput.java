package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Walks the fields of a protobuf message: {@code while (input.next())} then read the value of
 * {@link #field()} or leave it, in which case it is skipped. Not thread-safe.
 */
final class ProtobufInput {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED_32 = 5;

    private final WireInput input;
    private int field;
    private int kind;
    private boolean pending;

    ProtobufInput(ByteBuffer message) {
        input = new WireInput(message);
    }

    boolean next() {
        if (pending) {
            skip();
        }
        if (!input.hasRemaining()) {
            return false;
        }
        long tag = input.readVarint();
        field = (int) (tag >>> 3);
        kind = (int) (tag & 7);
        pending = true;
        return true;
    }

    int field() {
        return field;
    }

    ByteBuffer bytes() {
        expect(LENGTH_DELIMITED);
        return input.readSlice();
    }

    byte[] byteArray() {
        expect(LENGTH_DELIMITED);
        return input.readBytes();
    }

    String string() {
        return new String(byteArray(), StandardCharsets.UTF_8);
    }

    long varint() {
        expect(VARINT);
        return input.readVarint();
    }

    private void expect(int expected) {
        if (kind != expected) {
            throw input.corrupt("field " + field + " of kind " + kind + " instead of " + expected);
        }
        pending = false;
    }

    private void skip() {
        pending = false;
        switch (kind) {
            case VARINT -> input.readVarint();
            case FIXED_64 -> input.readRaw(8);
            case LENGTH_DELIMITED -> input.readSlice();
            case FIXED_32 -> input.readRaw(4);
            default -> throw input.corrupt("field " + field + " of the unknown kind " + kind);
        }
    }
}
