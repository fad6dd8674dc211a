package io.flinkfluss.storage.server.metadata;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * One file that is replaced as a whole: magic number, CRC-32C of the rest, then the content. After
 * {@link #write} returns, power loss leaves the new content; before, the old one.
 */
final class MetadataFile {
    private static final int MAGIC = 0x464C4D43;
    private static final int HEAD = 2 * Integer.BYTES;

    private final Path file;

    MetadataFile(Path file) {
        this.file = file;
    }

    /** The content, or empty when nothing was written yet. @throws StorageException CORRUPT_DATA */
    Optional<ByteBuffer> read() {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            if (bytes.remaining() < HEAD || bytes.getInt() != MAGIC) {
                throw damaged("does not begin as a metadata checkpoint");
            }
            int expected = bytes.getInt();
            if (expected != checksum(bytes)) {
                throw damaged("has a wrong checksum");
            }
            return Optional.of(bytes.slice());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    void write(ByteBuffer content) {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            Files.createDirectories(file.getParent());
            try (FileChannel channel =
                    FileChannel.open(
                            temporary,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer head = ByteBuffer.allocate(HEAD);
                head.putInt(MAGIC).putInt(checksum(content)).flip();
                writeAll(channel, head);
                writeAll(channel, content.duplicate());
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel folder = FileChannel.open(file.getParent())) {
                folder.force(true);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    private StorageException damaged(String how) {
        return new StorageException(
                ErrorCode.CORRUPT_DATA,
                file
                        + " "
                        + how
                        + "; restore the data directory from a copy, or remove it to begin anew");
    }
}
