package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.storage.api.wire.BatchHeader;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.KvScanTicket;
import io.flinkfluss.storage.api.wire.RowBatchHeader;
import io.flinkfluss.storage.api.wire.ScanTicket;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.verify.check.Row;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/** Reads what one replica holds, log by log and key by key, and compares it with what is known. */
public final class ReplicaCheck {
    private final BufferAllocator allocator;
    private final Duration patience;

    /**
     * @param patience how long to wait for the next rows
     */
    public ReplicaCheck(BufferAllocator allocator, Duration patience) {
        this.allocator = allocator;
        this.patience = patience;
    }

    /**
     * Reads a bucket's log from its beginning to this offset.
     *
     * @throws StorageException what the node refused
     */
    public void readLog(NodeChannel node, String name, TestTable table, BucketId bucket, long end)
            throws InterruptedException {
        if (end == 0) {
            return;
        }
        ScanRequest request = new ScanRequest(bucket, 0, end, null).from(ReadFrom.ANY);
        try (ReplicaScan scan = new ReplicaScan(node, new ScanTicket(request));
                LogDecoder decoder =
                        new LogDecoder(
                                table, table.history(bucket), allocator, "replica " + name, 0)) {
            while (decoder.position() < end) {
                Optional<FlightFrame> frame = scan.next(patience);
                if (frame.isEmpty()) {
                    table.history(bucket).gap(decoder.position(), end, "replica " + name);
                    return;
                }
                decoder.accept(
                        BatchHeader.decode(frame.get().appMetadata()).toBatch(bucket, frame.get()));
            }
        }
    }

    /**
     * Reads a bucket of a snapshot and compares it with the changelog before the snapshot; says
     * what differs.
     *
     * @throws StorageException what the node refused
     */
    public Optional<String> compareState(
            NodeChannel node, String name, TestTable table, BucketId bucket, KvSnapshot snapshot)
            throws InterruptedException {
        Map<Integer, Long> found = new HashMap<>();
        KvScanRequest request = new KvScanRequest(bucket, snapshot.snapshotId(), new byte[0], null);
        try (ReplicaScan scan = new ReplicaScan(node, new KvScanTicket(request));
                ArrowBatchReader reader =
                        new ArrowBatchReader(table.info().schema(), null, allocator)) {
            for (Optional<FlightFrame> frame = scan.next(patience);
                    frame.isPresent();
                    frame = scan.next(patience)) {
                RowBatch batch =
                        RowBatchHeader.decode(frame.get().appMetadata())
                                .toBatch(bucket, frame.get());
                reader.read(batch.metadata(), batch.body());
                for (int i = 0; i < batch.rowCount(); i++) {
                    Optional<Row> row =
                            RowForm.read(reader.rows().setRow(i), true, ChangeKind.INSERT);
                    if (row.isEmpty()) {
                        return Optional.of("replica " + name + " holds a row that nobody wrote");
                    }
                    found.put(row.get().key(), row.get().value());
                }
            }
        }
        long offset = snapshot.logOffsets().get(bucket);
        return StateComparison.compare(
                "replica " + name + " of " + table.history(bucket).name() + " at offset " + offset,
                found,
                table.history(bucket).stateAt(offset));
    }
}
