package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.wire.ArrowSchemas;
import io.flinkfluss.storage.api.wire.FlightDescriptor;
import io.flinkfluss.storage.api.wire.FlightInfo;
import io.flinkfluss.storage.api.wire.ScanTicket;
import io.flinkfluss.storage.api.wire.Ticket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/** Answers GetFlightInfo: the log of a table as it is now, one endpoint per bucket. */
final class FlightInfos {
    private FlightInfos() {}

    static FlightInfo of(StorageService service, FlightDescriptor descriptor) {
        List<String> path = descriptor.path();
        if (path.size() != 2) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "a table is named by the path [database, table], not " + path);
        }
        TableInfo table = service.admin().table(new TablePath(path.get(0), path.get(1)));
        List<BucketId> buckets = table.buckets();
        Map<BucketId, Long> starts =
                service.logReader().offsets(buckets, new OffsetSpec.Earliest());
        Map<BucketId, Long> ends = service.logReader().offsets(buckets, new OffsetSpec.Latest());
        List<FlightInfo.Endpoint> endpoints = new ArrayList<>();
        long rows = 0;
        for (BucketId bucket : buckets) {
            long start = starts.get(bucket);
            long end = Math.max(start, ends.get(bucket));
            rows += end - start;
            ScanTicket ticket = new ScanTicket(new ScanRequest(bucket, start, end, null));
            endpoints.add(
                    new FlightInfo.Endpoint(
                            new Ticket(ByteBuffer.wrap(ticket.encode())), List.of()));
        }
        return new FlightInfo(schema(table), descriptor, endpoints, rows, -1);
    }

    private static ByteBuffer schema(TableInfo table) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            MessageSerializer.serialize(
                    new WriteChannel(Channels.newChannel(bytes)),
                    ArrowSchemas.toArrow(table.schema(), null));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }
}
