package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Arrow Flight's {@code FlightData} message, handled as slices so that bodies are never copied: the
 * reader keeps views of the received bytes, the writer hands over the caller's buffers.
 *
 * @param descriptor a {@link FlightDescriptor} message; empty when there is none
 * @param header the FlatBuffer of an Arrow IPC message (schema or record batch); empty when none
 * @param appMetadata our own header, for example {@link PutHeader}; empty when none
 * @param bodyParts the body of the Arrow message, in parts that follow each other
 */
public record FlightFrame(
        ByteBuffer descriptor,
        ByteBuffer header,
        ByteBuffer appMetadata,
        List<ByteBuffer> bodyParts) {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0).asReadOnlyBuffer();
    private static final int DESCRIPTOR = 1;
    private static final int HEADER = 2;
    private static final int APP_METADATA = 3;
    private static final int BODY = 1000;

    public FlightFrame {
        bodyParts = List.copyOf(bodyParts);
    }

    public static FlightFrame of(ByteBuffer header, byte[] appMetadata, List<ByteBuffer> body) {
        return new FlightFrame(EMPTY, header, ByteBuffer.wrap(appMetadata), body);
    }

    /** A frame that carries only our own message. */
    public static FlightFrame ofMetadata(byte[] appMetadata) {
        return new FlightFrame(EMPTY, EMPTY, ByteBuffer.wrap(appMetadata), List.of());
    }

    /** A frame with our own header and a body that is not Arrow data. */
    public static FlightFrame ofBody(byte[] appMetadata, ByteBuffer body) {
        return new FlightFrame(EMPTY, EMPTY, ByteBuffer.wrap(appMetadata), List.of(body));
    }

    /** The frame that begins a stream: an Arrow schema message and perhaps a descriptor. */
    public static FlightFrame ofSchema(ByteBuffer descriptor, ByteBuffer header) {
        return new FlightFrame(descriptor, header, EMPTY, List.of());
    }

    /** Reads a serialized frame; the result's buffers are slices of the argument. */
    public static FlightFrame parse(ByteBuffer bytes) {
        ByteBuffer descriptor = EMPTY;
        ByteBuffer header = EMPTY;
        ByteBuffer appMetadata = EMPTY;
        ByteBuffer body = EMPTY;
        ProtobufInput input = new ProtobufInput(bytes);
        while (input.next()) {
            switch (input.field()) {
                case DESCRIPTOR -> descriptor = input.bytes();
                case HEADER -> header = input.bytes();
                case APP_METADATA -> appMetadata = input.bytes();
                case BODY -> body = input.bytes();
                default -> {}
            }
        }
        return new FlightFrame(descriptor, header, appMetadata, List.of(body));
    }

    /** The serialized frame as buffers that follow each other; the body's are the caller's own. */
    public List<ByteBuffer> serialize() {
        ProtobufOutput head = new ProtobufOutput();
        head.bytes(DESCRIPTOR, descriptor).bytes(HEADER, header).bytes(APP_METADATA, appMetadata);
        long length = bodyLength();
        if (length == 0) {
            return List.of(head.toByteBuffer());
        }
        head.head(BODY, length);
        List<ByteBuffer> buffers = new ArrayList<>(1 + bodyParts.size());
        buffers.add(head.toByteBuffer());
        for (ByteBuffer part : bodyParts) {
            buffers.add(part.duplicate());
        }
        return buffers;
    }

    public long bodyLength() {
        long length = 0;
        for (ByteBuffer part : bodyParts) {
            length += part.remaining();
        }
        return length;
    }

    /** The body in one piece; copies only when it has several parts. */
    public ByteBuffer body() {
        if (bodyParts.size() == 1) {
            return bodyParts.get(0);
        }
        ByteBuffer joined = ByteBuffer.allocate((int) bodyLength());
        bodyParts.forEach(part -> joined.put(part.duplicate()));
        return joined.flip();
    }

    public boolean hasDescriptor() {
        return descriptor.hasRemaining();
    }

    public boolean hasAppMetadata() {
        return appMetadata.hasRemaining();
    }
}
