package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.nio.ByteBuffer;

/** Reads ranges of segments in remote storage, without waiting for it. Thread-safe. */
public interface RemoteReads {
    /** For a server without remote storage. */
    RemoteReads NONE =
            (segment, position, target, ready) -> {
                throw new StorageException(
                        ErrorCode.NOT_READY,
                        "segment "
                                + segment.name()
                                + " is in remote storage, and this server was started without"
                                + " remote.data.dir; start it with the one it had before");
            };

    /**
     * Puts what is at hand into the target. When that is not all, the rest is being fetched; ask
     * for the remaining bytes after {@code ready} was called, which is done once, on any thread.
     *
     * @return whether the target is full
     * @throws StorageException UNREACHABLE when it could not be fetched, CORRUPT_DATA when the
     *     object is missing or too short
     */
    boolean read(RemoteSegment segment, long position, ByteBuffer target, Runnable ready);
}
