package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.wire.ArrowSchemas;
import io.flinkfluss.storage.api.wire.BatchHeader;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.KvScanTicket;
import io.flinkfluss.storage.api.wire.RowBatchHeader;
import io.flinkfluss.storage.api.wire.ScanTicket;
import io.flinkfluss.storage.api.wire.StreamTicket;
import io.flinkfluss.storage.api.wire.Ticket;
import io.flinkfluss.storage.server.transfer.CheckpointLeases;
import io.flinkfluss.storage.server.transfer.FileChunk;
import io.flinkfluss.storage.server.transfer.FileTicket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/** Begins the reads that tickets name and puts their batches into frames. */
record TicketSource(
        StorageService service, Function<TableId, Schema> schemas, CheckpointLeases checkpoints)
        implements GetStream.Source {
    @Override
    public Opened open(Ticket ticket) {
        if (FileTicket.isOne(ticket.ticket())) {
            return new Opened(
                    FlightFrame.ofMetadata(new byte[0]),
                    new Framed<>(
                            checkpoints.read(FileTicket.decode(ticket.ticket())),
                            TicketSource::frame));
        }
        StreamTicket what = StreamTicket.decode(ticket.ticket());
        if (what instanceof ScanTicket scan) {
            TableId table = scan.request().bucket().table();
            int[] columns = scan.request().columnIndexes();
            FlightFrame schema = schemaFrame(table, columns);
            return new Opened(
                    schema,
                    new Framed<>(service.logReader().scan(scan.request()), TicketSource::frame));
        }
        KvScanTicket scan = (KvScanTicket) what;
        TableId table = scan.request().bucket().table();
        FlightFrame schema = schemaFrame(table, scan.request().columnIndexes());
        return new Opened(
                schema, new Framed<>(service.kvReader().scan(scan.request()), TicketSource::frame));
    }

    private FlightFrame schemaFrame(TableId table, int[] columnIndexes) {
        Schema schema = schemas.apply(table);
        if (columnIndexes != null) {
            for (int index : columnIndexes) {
                if (index < 0 || index >= schema.columns().size()) {
                    throw new StorageException(
                            ErrorCode.INVALID_REQUEST,
                            "column "
                                    + index
                                    + " was asked of table "
                                    + table
                                    + ", which has the columns 0 to "
                                    + (schema.columns().size() - 1));
                }
            }
        }
        return FlightFrame.ofSchema(
                ByteBuffer.allocate(0),
                MessageSerializer.serializeMetadata(ArrowSchemas.toArrow(schema, columnIndexes)));
    }

    private static FlightFrame frame(LogBatch batch) {
        byte[] header = BatchHeader.of(batch).encode();
        return FlightFrame.of(batch.metadata(), header, List.of(batch.body()));
    }

    private static FlightFrame frame(FileChunk chunk) {
        return FlightFrame.ofBody(chunk.encodeHead(), chunk.bytes());
    }

    private static FlightFrame frame(RowBatch batch) {
        byte[] header =
                new RowBatchHeader(
                                batch.rowCount(),
                                batch.schemaId(),
                                ByteBuffer.wrap(batch.lastKey()))
                        .encode();
        return FlightFrame.of(batch.metadata(), header, List.of(batch.body()));
    }

    /** Batches as frames. */
    private record Framed<B>(Batches<B> batches, Function<B, FlightFrame> framer)
            implements Batches<FlightFrame> {
        @Override
        public Optional<FlightFrame> poll() {
            return batches.poll().map(framer);
        }

        @Override
        public Optional<FlightFrame> poll(Duration timeout) throws InterruptedException {
            return batches.poll(timeout).map(framer);
        }

        @Override
        public boolean isFinished() {
            return batches.isFinished();
        }

        @Override
        public void onAvailable(Runnable listener) {
            batches.onAvailable(listener);
        }

        @Override
        public void close() {
            batches.close();
        }
    }
}
