package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;

/** Arrow Flight's {@code Ticket}: what a DoGet reads, see {@link StreamTicket}. */
public record Ticket(ByteBuffer ticket) {
    public static Ticket parse(ByteBuffer bytes) {
        ByteBuffer ticket = ByteBuffer.allocate(0);
        ProtobufInput input = new ProtobufInput(bytes);
        while (input.next()) {
            if (input.field() == 1) {
                ticket = input.bytes();
            }
        }
        return new Ticket(ticket);
    }

    public byte[] serialize() {
        return new ProtobufOutput().bytes(1, ticket).toByteArray();
    }
}
