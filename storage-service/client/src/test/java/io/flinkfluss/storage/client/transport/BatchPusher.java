package io.flinkfluss.storage.client.transport;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.wire.BatchHeader;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.RowBatchHeader;
import io.flinkfluss.storage.api.wire.Ticket;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

/** Pushes what a read gives to its caller, on a thread of its own, with the faults of a script. */
final class BatchPusher {
    private final ExecutorService threads;
    private final FaultScript batches;
    private final Runnable awake;

    /**
     * @param awake returns when the node is not asleep
     */
    BatchPusher(ExecutorService threads, FaultScript batches, Runnable awake) {
        this.threads = threads;
        this.batches = batches;
        this.awake = awake;
    }

    <B> void push(
            ServerCall<Ticket, FlightFrame> call,
            Batches<B> source,
            Function<B, FlightFrame> toFrame) {
        threads.execute(
                () -> {
                    try (source) {
                        // What stands for the schema message of a real node.
                        call.sendMessage(
                                FlightFrame.ofSchema(
                                        ByteBuffer.allocate(0), ByteBuffer.allocate(8)));
                        while (!call.isCancelled() && !source.isFinished()) {
                            Optional<B> batch = source.poll(Duration.ofMillis(100));
                            if (batch.isEmpty()) {
                                continue;
                            }
                            awake.run();
                            Fault fault = batches.next();
                            if (fault instanceof Fault.BreakBefore) {
                                CallEnd.breakOff(call);
                                return;
                            } else if (fault instanceof Fault.Refuse refuse) {
                                CallEnd.fail(call, refuse.error());
                                return;
                            }
                            call.sendMessage(toFrame.apply(batch.get()));
                            if (fault instanceof Fault.BreakAfter) {
                                CallEnd.breakOff(call);
                                return;
                            }
                        }
                        CallEnd.close(call, Status.OK, new Metadata());
                    } catch (StorageException e) {
                        CallEnd.fail(call, e);
                    } catch (IllegalStateException | InterruptedException e) {
                        CallEnd.breakOff(call);
                    }
                });
    }

    static FlightFrame frame(LogBatch batch) {
        return FlightFrame.of(
                batch.metadata(), BatchHeader.of(batch).encode(), List.of(batch.body()));
    }

    static FlightFrame frame(RowBatch batch) {
        byte[] header =
                new RowBatchHeader(
                                batch.rowCount(),
                                batch.schemaId(),
                                ByteBuffer.wrap(batch.lastKey()))
                        .encode();
        return FlightFrame.of(batch.metadata(), header, List.of(batch.body()));
    }
}
