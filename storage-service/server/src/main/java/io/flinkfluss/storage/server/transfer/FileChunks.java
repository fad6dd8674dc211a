package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.server.replication.CheckpointFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads parts of a leased checkpoint's files, in pieces. One thread at a time. */
final class FileChunks implements Batches<FileChunk> {
    private static final int PIECE = 256 * 1024;

    private final Supplier<List<CheckpointFile>> files;
    private final List<FileTicket.Range> ranges;
    private int next;
    private long done;
    private FileChannel open;

    /**
     * @param files asked before each piece; fails when the lease has ended, and prolongs it
     */
    FileChunks(Supplier<List<CheckpointFile>> files, List<FileTicket.Range> ranges) {
        this.files = files;
        this.ranges = ranges;
    }

    @Override
    public Optional<FileChunk> poll() {
        while (next < ranges.size()) {
            FileTicket.Range range = ranges.get(next);
            try {
                Optional<FileChunk> chunk = piece(range, files.get().get(range.file()));
                if (chunk.isPresent()) {
                    return chunk;
                }
            } catch (NoSuchFileException deleted) {
                // Only what nobody needs is deleted under a lease; the reader asks for checksums.
                done = range.length();
            } catch (IOException e) {
                throw new StorageException(
                        ErrorCode.INTERNAL, "could not read a checkpoint's file: " + e, e);
            }
            closeFile();
            next++;
            done = 0;
        }
        return Optional.empty();
    }

    private Optional<FileChunk> piece(FileTicket.Range range, CheckpointFile file)
            throws IOException {
        long left = Math.min(range.length(), file.length() - range.from()) - done;
        if (left <= 0) {
            return Optional.empty();
        }
        if (open == null) {
            open = FileChannel.open(file.path(), StandardOpenOption.READ);
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(PIECE, left));
        long position = range.from() + done;
        while (bytes.hasRemaining()) {
            if (open.read(bytes, position + bytes.position()) < 0) {
                throw new StorageException(
                        ErrorCode.CORRUPT_DATA,
                        file.path()
                                + " ends before byte "
                                + file.length()
                                + " although a checkpoint needs it; check that disk");
            }
        }
        done += bytes.position();
        return Optional.of(new FileChunk(range.file(), position, bytes.flip()));
    }

    @Override
    public Optional<FileChunk> poll(Duration timeout) {
        return poll();
    }

    @Override
    public boolean isFinished() {
        return next == ranges.size();
    }

    @Override
    public void onAvailable(Runnable listener) {
        // There is always something to read, or the end.
    }

    private void closeFile() {
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            throw new StorageException(ErrorCode.INTERNAL, "could not close a file: " + e, e);
        } finally {
            open = null;
        }
    }

    @Override
    public void close() {
        closeFile();
    }
}
