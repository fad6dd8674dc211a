package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.wire.ArrowSchemas;
import io.flinkfluss.storage.api.wire.CatalogOperation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Arrow's own Flight client against our server. */
final class StockFlight implements AutoCloseable {
    static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "id", DataType.of(TypeRoot.BIGINT)),
                            Column.of(2, "name", DataType.of(TypeRoot.STRING))),
                    List.of());

    final BufferAllocator allocator = new RootAllocator();
    final FlightClient client;

    StockFlight(int port) {
        client =
                FlightClient.builder(allocator, Location.forGrpcInsecure("127.0.0.1", port))
                        .build();
    }

    void createTable(String name) {
        createTable(name, Map.of());
    }

    void createTable(String name, Map<String, String> options) {
        TableDescriptor descriptor =
                new TableDescriptor(SCHEMA, List.of(), List.of(), 2, options, Map.of(), "");
        var action =
                new CatalogOperation.CreateTable(new TablePath("fluss", name), descriptor)
                        .toAction();
        byte[] body = new byte[action.body().remaining()];
        action.body().get(body);
        client.doAction(new Action(action.type(), body)).next();
    }

    VectorSchemaRoot newRoot() {
        return VectorSchemaRoot.create(ArrowSchemas.toArrow(SCHEMA, null), allocator);
    }

    static void fill(VectorSchemaRoot root, long firstId, int rows) {
        BigIntVector ids = (BigIntVector) root.getVector(0);
        VarCharVector names = (VarCharVector) root.getVector(1);
        for (int i = 0; i < rows; i++) {
            ids.setSafe(i, firstId + i);
            names.setSafe(i, ("row " + (firstId + i)).getBytes(StandardCharsets.UTF_8));
        }
        root.setRowCount(rows);
    }

    /** Ids of all rows of all buckets, bucket by bucket. */
    List<Long> ids(String table) throws Exception {
        List<Long> ids = new ArrayList<>();
        var info = client.getInfo(FlightDescriptor.path("fluss", table));
        for (FlightEndpoint endpoint : info.getEndpoints()) {
            try (FlightStream stream = client.getStream(endpoint.getTicket())) {
                while (stream.next()) {
                    BigIntVector vector = (BigIntVector) stream.getRoot().getVector(0);
                    for (int i = 0; i < vector.getValueCount(); i++) {
                        ids.add(vector.get(i));
                    }
                }
            }
        }
        return ids;
    }

    @Override
    public void close() throws InterruptedException {
        client.close();
        allocator.close();
    }
}
