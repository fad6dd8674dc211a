package io.flinkfluss.storage.server.remote;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.server.log.RemoteSegment;
import io.flinkfluss.storage.server.log.SegmentFacts;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.shard.ShardLogs;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** Writes copies of segments as objects, on the threads that copy. Any thread; close it once. */
public final class SegmentUploads implements AutoCloseable {
    private static final int CHUNK = 256 * 1024;

    private final RemoteStorage storage;
    private final Executor copying;
    private final Pace pace;
    private final String writer;
    private final AtomicLong count = new AtomicLong();
    private volatile boolean closed;

    /**
     * @param writer names this process, so that no two objects ever have the same name
     */
    public SegmentUploads(RemoteStorage storage, Executor copying, Pace pace, String writer) {
        this.storage = storage;
        this.copying = copying;
        this.pace = pace;
        this.writer = writer;
    }

    /**
     * Copies a complete segment. When it completes the object is durable; when it fails there may
     * be one that nobody knows.
     *
     * @param folder for the objects of the bucket's shard
     */
    CompletableFuture<RemoteSegment> copy(
            ShardLogs logs, BucketId bucket, SegmentFacts segment, String folder) {
        String name =
                String.format(
                        "%s%s/%d/%d/%020d-%020d-%s-%d.segment",
                        folder,
                        bucket.table(),
                        bucket.partition(),
                        bucket.bucket(),
                        segment.baseOffset(),
                        segment.endOffset(),
                        writer,
                        count.incrementAndGet());
        return CompletableFuture.supplyAsync(
                () -> copy(logs, bucket, segment.baseOffset(), name), copying);
    }

    private RemoteSegment copy(ShardLogs logs, BucketId bucket, long baseOffset, String name) {
        try (OutputStream object =
                new BufferedOutputStream(new PacedStream(storage.create(name)), CHUNK)) {
            return logs.copy(bucket, baseOffset, name, object);
        } catch (IOException e) {
            throw new StorageException(
                    ErrorCode.UNREACHABLE, "could not finish the object " + name + ": " + e, e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Waits as the pace demands, and fails when the server stops. */
    private final class PacedStream extends FilterOutputStream {
        PacedStream(OutputStream object) {
            super(object);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (closed) {
                throw new IOException("the server is stopping");
            }
            try {
                pace.move(length);
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the server is stopping");
            }
            out.write(bytes, offset, length);
        }
    }
}
