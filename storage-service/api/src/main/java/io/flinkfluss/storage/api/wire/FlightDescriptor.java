package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Arrow Flight's {@code FlightDescriptor}. We use paths: {@code [database, table]} or {@code
 * [database, table, bucket]}.
 *
 * @param path empty for a command descriptor
 * @param command empty for a path descriptor
 */
public record FlightDescriptor(List<String> path, ByteBuffer command) {
    private static final int PATH = 1;
    private static final int COMMAND = 2;

    public FlightDescriptor {
        path = List.copyOf(path);
    }

    public static FlightDescriptor ofPath(String... path) {
        return new FlightDescriptor(List.of(path), ByteBuffer.allocate(0));
    }

    public static FlightDescriptor parse(ByteBuffer bytes) {
        ByteBuffer command = ByteBuffer.allocate(0);
        List<String> path = new ArrayList<>();
        ProtobufInput input = new ProtobufInput(bytes);
        while (input.next()) {
            switch (input.field()) {
                case 2 -> command = input.bytes();
                case 3 -> path.add(input.string());
                default -> {}
            }
        }
        return new FlightDescriptor(path, command);
    }

    public byte[] serialize() {
        ProtobufOutput output = new ProtobufOutput();
        output.varint(1, path.isEmpty() ? COMMAND : PATH).bytes(2, command);
        for (String part : path) {
            output.element(3, part.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return output.toByteArray();
    }
}
