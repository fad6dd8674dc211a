package io.flinkfluss.storage.server.replication;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a group's folder before Ratis opens it and repairs what a killed process can leave
 * behind and Ratis refuses:
 *
 * <ul>
 *   <li>an entry whose writing was cut off: a prefix of it, then only the zeros that the file was
 *       preallocated with. It was never acknowledged, so it is cut away. A damaged entry whose end
 *       was written is left alone, for Ratis to refuse: it may have been acknowledged.
 *   <li>a folder that was made but has no entry and no members yet. It is deleted.
 * </ul>
 */
final class LogFolder {
    private static final Logger LOG = LoggerFactory.getLogger(LogFolder.class);
    private static final String OPEN_SEGMENT = "log_inprogress_";
    private static final int HEADER = 8;

    private LogFolder() {}

    static void repair(Path folder) throws IOException {
        Path current = folder.resolve("current");
        if (!Files.isDirectory(folder)) {
            return;
        }
        boolean anyEntry = false;
        for (Path file : files(current)) {
            String name = file.getFileName().toString();
            if (name.startsWith(OPEN_SEGMENT)) {
                anyEntry |= cutTornTail(file) > HEADER;
            } else {
                anyEntry |= name.startsWith("log_");
            }
        }
        if (!anyEntry && !Files.exists(current.resolve("raft-meta.conf"))) {
            LOG.info("removing {}: it was created but never used", folder);
            delete(folder);
        }
    }

    /** Whether the log in this folder begins with entry 0, as logs of the first release do. */
    static boolean hasFirstEntry(Path current) throws IOException {
        return files(current).stream()
                .map(file -> file.getFileName().toString())
                .anyMatch(name -> name.equals(OPEN_SEGMENT + "0") || name.startsWith("log_0-"));
    }

    /**
     * Deletes the open segment when a checkpoint contains all its entries: Ratis would go on
     * writing it after the checkpoint's last entry, which it refuses because of the gap.
     *
     * @param index of the last entry that the checkpoint contains
     */
    static void deleteContained(Path folder, long index) throws IOException {
        Path current = folder.resolve("current");
        if (index < 0 || !Files.isDirectory(current)) {
            return;
        }
        for (Path file : files(current)) {
            if (file.getFileName().toString().startsWith(OPEN_SEGMENT) && lastIndex(file) < index) {
                LOG.info("removing {}: the checkpoint at entry {} contains it", file, index);
                Files.delete(file);
            }
        }
    }

    /** Index of the last whole entry, -1 without any. */
    private static long lastIndex(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        long last = -1;
        int position = Math.min(HEADER, bytes.limit());
        for (int end = endOfEntry(bytes, position); end > 0; end = endOfEntry(bytes, position)) {
            int data = position + lengthBytes(bytes, position);
            ByteBuffer entry = bytes.slice(data, end - Integer.BYTES - data);
            last = LogEntryProto.parseFrom(entry).getIndex();
            position = end;
        }
        return last;
    }

    /** Returns where the last whole entry ends. */
    static long cutTornTail(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        int end = Math.min(HEADER, bytes.limit());
        while (end < bytes.limit()) {
            int next = endOfEntry(bytes, end);
            if (next < 0) {
                break;
            }
            end = next;
        }
        int written = bytes.limit();
        while (written > end && bytes.get(written - 1) == 0) {
            written--;
        }
        if (written > end && wasCutOff(bytes, end, written)) {
            LOG.warn(
                    "{}: the entry at byte {} was cut off when the process ended; it was never"
                            + " acknowledged and is removed",
                    file,
                    end);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(end);
                channel.force(true);
            }
        }
        return end;
    }

    /** Position after the whole and undamaged entry at this position, or -1 when there is none. */
    private static int endOfEntry(ByteBuffer bytes, int position) {
        long length = lengthAt(bytes, position);
        int data = position + lengthBytes(bytes, position);
        if (length <= 0 || data + length + Integer.BYTES > bytes.limit()) {
            return -1;
        }
        int checksumAt = data + (int) length;
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(position, checksumAt - position));
        return bytes.getInt(checksumAt) == (int) crc.getValue() ? checksumAt + Integer.BYTES : -1;
    }

    /** Whether what was written stops before the entry's checksum is complete. */
    private static boolean wasCutOff(ByteBuffer bytes, int position, int written) {
        long length = lengthAt(bytes, position);
        long checksumAt = position + lengthBytes(bytes, position) + length;
        return length <= 0 || written <= checksumAt;
    }

    private static long lengthAt(ByteBuffer bytes, int position) {
        long value = 0;
        for (int i = 0; i < 5 && position + i < bytes.limit(); i++) {
            byte next = bytes.get(position + i);
            value |= (long) (next & 0x7F) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        return -1;
    }

    private static int lengthBytes(ByteBuffer bytes, int position) {
        int count = 1;
        while (count < 5
                && position + count < bytes.limit()
                && bytes.get(position + count - 1) < 0) {
            count++;
        }
        return count;
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
