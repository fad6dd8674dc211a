package io.flinkfluss.storage.server.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** CRC-32C of the beginning of a file, as it is on the disk. */
final class FileChecksum {
    private static final int PIECE = 256 * 1024;

    private FileChecksum() {}

    /**
     * @throws IOException when the file is shorter than that
     */
    static long of(Path file, long length) throws IOException {
        CRC32C checksum = new CRC32C();
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, Math.max(1, length)));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long position = 0;
            while (position < length) {
                piece.clear().limit((int) Math.min(piece.capacity(), length - position));
                int read = channel.read(piece, position);
                if (read < 0) {
                    throw new IOException(
                            file + " ends at byte " + position + ", before byte " + length);
                }
                checksum.update(piece.flip());
                position += read;
            }
        }
        return checksum.getValue();
    }
}
