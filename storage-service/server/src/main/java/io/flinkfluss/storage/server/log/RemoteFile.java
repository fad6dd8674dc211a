package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A segment in remote storage, as one reader uses it. */
final class RemoteFile extends BatchFile {
    private static final long PATIENCE_SECONDS = 30;

    private final RemoteSegment segment;
    private final RemoteReads reads;
    private final Runnable ready;

    private SparseIndex index;

    /**
     * @param ready called when bytes arrived after a read that found them missing (NOT_READY)
     */
    RemoteFile(BucketId bucket, RemoteSegment segment, RemoteReads reads, Runnable ready) {
        super(bucket, segment.baseOffset());
        this.segment = segment;
        this.reads = reads;
        this.ready = ready;
    }

    /** One whose reads wait for remote storage, for a bounded time. */
    static RemoteFile waiting(BucketId bucket, RemoteSegment segment, RemoteReads reads) {
        return new RemoteFile(bucket, segment, waiting(reads), () -> {});
    }

    @Override
    long length() {
        return segment.length();
    }

    @Override
    void read(long position, ByteBuffer target) throws IOException {
        int left = (int) Math.min(target.remaining(), segment.length() - position);
        readObject(position, target, left);
    }

    private void readObject(long position, ByteBuffer target, int length) throws IOException {
        int limit = target.limit();
        target.limit(target.position() + length);
        try {
            if (!reads.read(segment, position, target, ready)) {
                throw new StorageException(
                        ErrorCode.NOT_READY,
                        place()
                                + " is being fetched at byte "
                                + position
                                + "; ask again when told");
            }
        } finally {
            target.limit(limit);
        }
    }

    @Override
    SparseIndex index() throws IOException {
        if (index == null) {
            ByteBuffer bytes = ByteBuffer.allocate(segment.indexLength());
            readObject(segment.length(), bytes, segment.indexLength());
            // Without a usable index the search goes through the batches from the front.
            index = SparseIndex.decode(bytes.flip(), segment.length()).orElseGet(SparseIndex::new);
        }
        return index;
    }

    @Override
    long firstMillis() {
        return segment.firstMillis();
    }

    @Override
    String place() {
        return "remote segment " + segment.name();
    }

    private static RemoteReads waiting(RemoteReads reads) {
        return (segment, position, target, ready) -> {
            int start = target.position();
            while (true) {
                CountDownLatch latch = new CountDownLatch(1);
                long from = position + target.position() - start;
                if (reads.read(segment, from, target, latch::countDown)) {
                    return true;
                }
                await(latch, segment);
            }
        };
    }

    private static void await(CountDownLatch latch, RemoteSegment segment) {
        try {
            if (latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        throw new StorageException(
                ErrorCode.UNREACHABLE,
                "remote storage did not give segment "
                        + segment.name()
                        + " within "
                        + PATIENCE_SECONDS
                        + " s; try again");
    }
}
