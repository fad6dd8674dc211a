package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Another node in this process: messages go through their bytes, and can be spoiled. */
public final class LocalPeer implements PeerCheckpoints {
    private final CheckpointLeases leases;
    private long breakAfterBytes = Long.MAX_VALUE;
    private UnaryOperator<FileChunk> spoil = UnaryOperator.identity();
    private Runnable beforeRead = () -> {};
    private long receivedBytes;

    public LocalPeer(CheckpointTransfer transfer, ServerClock clock) {
        leases =
                new CheckpointLeases(
                        group -> group.equals("shard-0") ? transfer : null,
                        clock,
                        Duration.ofSeconds(60));
    }

    public CheckpointLeases leases() {
        return leases;
    }

    /** The connection breaks once, after so many bytes. */
    public LocalPeer breakAfter(long bytes) {
        breakAfterBytes = receivedBytes + bytes;
        return this;
    }

    public LocalPeer spoil(UnaryOperator<FileChunk> each) {
        spoil = each;
        return this;
    }

    public LocalPeer beforeRead(Runnable action) {
        beforeRead = action;
        return this;
    }

    public long receivedBytes() {
        return receivedBytes;
    }

    private ByteBuffer ask(PeerOperation operation) {
        PeerOperation received = PeerOperation.of(operation.toAction()).orElseThrow();
        return ByteBuffer.wrap(received.execute(leases));
    }

    @Override
    public CheckpointListing lease(String group, long leastIndex) {
        return CheckpointListing.decode(ask(new PeerOperation.Lease(group, leastIndex)));
    }

    @Override
    public List<Long> checksums(long lease, List<Integer> files) {
        return PeerOperation.Checksums.answer(ask(new PeerOperation.Checksums(lease, files)));
    }

    @Override
    public void read(FileTicket ticket, Consumer<FileChunk> receiver) {
        beforeRead.run();
        ByteBuffer sent = ByteBuffer.wrap(ticket.encode());
        try (Batches<FileChunk> chunks = leases.read(FileTicket.decode(sent))) {
            for (Optional<FileChunk> next = chunks.poll(); next.isPresent(); next = chunks.poll()) {
                FileChunk chunk =
                        FileChunk.decode(
                                ByteBuffer.wrap(next.get().encodeHead()), next.get().bytes());
                int length = chunk.bytes().remaining();
                if (receivedBytes + length > breakAfterBytes) {
                    int left = (int) (breakAfterBytes - receivedBytes);
                    breakAfterBytes = Long.MAX_VALUE;
                    receivedBytes += left;
                    receiver.accept(
                            new FileChunk(
                                    chunk.file(),
                                    chunk.position(),
                                    chunk.bytes().slice(chunk.bytes().position(), left)));
                    throw new StorageException(ErrorCode.UNREACHABLE, "the connection broke");
                }
                receivedBytes += length;
                receiver.accept(spoil.apply(chunk));
            }
        }
    }

    @Override
    public void release(long lease) {
        ask(new PeerOperation.Release(lease));
    }

    @Override
    public void close() {}
}
