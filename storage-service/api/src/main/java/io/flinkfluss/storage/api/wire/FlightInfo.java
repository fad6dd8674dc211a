package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Arrow Flight's {@code FlightInfo}: how to read a table.
 *
 * @param schema an encapsulated Arrow IPC schema message (continuation marker, length, FlatBuffer,
 *     padding)
 * @param endpoints one per bucket
 * @param totalRecords -1 when unknown
 * @param totalBytes -1 when unknown
 */
public record FlightInfo(
        ByteBuffer schema,
        FlightDescriptor descriptor,
        List<Endpoint> endpoints,
        long totalRecords,
        long totalBytes) {
    public FlightInfo {
        endpoints = List.copyOf(endpoints);
    }

    /**
     * One part of the data.
     *
     * @param locations URIs of nodes that serve it, {@code grpc+tcp://host:port}; empty for the
     *     node that was asked
     */
    public record Endpoint(Ticket ticket, List<String> locations) {
        public Endpoint {
            locations = List.copyOf(locations);
        }

        static Endpoint parse(ByteBuffer bytes) {
            Ticket ticket = new Ticket(ByteBuffer.allocate(0));
            List<String> locations = new ArrayList<>();
            ProtobufInput input = new ProtobufInput(bytes);
            while (input.next()) {
                switch (input.field()) {
                    case 1 -> ticket = Ticket.parse(input.bytes());
                    case 2 -> locations.add(location(input.bytes()));
                    default -> {}
                }
            }
            return new Endpoint(ticket, locations);
        }

        byte[] serialize() {
            ProtobufOutput output = new ProtobufOutput().element(1, ticket.serialize());
            for (String location : locations) {
                output.element(2, new ProtobufOutput().string(1, location).toByteArray());
            }
            return output.toByteArray();
        }

        private static String location(ByteBuffer bytes) {
            String uri = "";
            ProtobufInput input = new ProtobufInput(bytes);
            while (input.next()) {
                if (input.field() == 1) {
                    uri = input.string();
                }
            }
            return uri;
        }
    }

    public static FlightInfo parse(ByteBuffer bytes) {
        ByteBuffer schema = ByteBuffer.allocate(0);
        FlightDescriptor descriptor = FlightDescriptor.ofPath();
        List<Endpoint> endpoints = new ArrayList<>();
        long totalRecords = 0;
        long totalBytes = 0;
        ProtobufInput input = new ProtobufInput(bytes);
        while (input.next()) {
            switch (input.field()) {
                case 1 -> schema = input.bytes();
                case 2 -> descriptor = FlightDescriptor.parse(input.bytes());
                case 3 -> endpoints.add(Endpoint.parse(input.bytes()));
                case 4 -> totalRecords = input.varint();
                case 5 -> totalBytes = input.varint();
                default -> {}
            }
        }
        return new FlightInfo(schema, descriptor, endpoints, totalRecords, totalBytes);
    }

    public byte[] serialize() {
        ProtobufOutput output = new ProtobufOutput();
        output.bytes(1, schema).element(2, descriptor.serialize());
        for (Endpoint endpoint : endpoints) {
            output.element(3, endpoint.serialize());
        }
        return output.varint(4, totalRecords).varint(5, totalBytes).toByteArray();
    }
}
