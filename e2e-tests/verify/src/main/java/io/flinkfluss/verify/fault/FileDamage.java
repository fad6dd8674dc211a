package io.flinkfluss.verify.fault;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** Damages the files of a node that is down. */
final class FileDamage {
    private static final int RAFT_HEADER = 8;
    private static final int LEAST_BYTES = 1024;

    private FileDamage() {}

    /** A byte that was changed, and what it was. */
    record Flip(Path file, long position, byte original) {
        /** Makes it as it was. */
        void undo() {
            write(file, position, original);
        }

        @Override
        public String toString() {
            return file.getFileName() + " byte " + position;
        }
    }

    /**
     * Leaves the first part of one more entry at the end of a Raft log's open segment, as a write
     * does that was interrupted; whole entries, which may have been acknowledged, stay. Returns
     * what was done, empty when there is no open segment.
     */
    static Optional<String> tearLastWrite(Path dataDirectory, PlannedFault fault) {
        List<Path> open =
                find(
                        dataDirectory.resolve("raft"),
                        path -> path.getFileName().toString().startsWith("log_inprogress_"));
        if (open.isEmpty()) {
            return Optional.empty();
        }
        Path file = open.get(fault.choose(open.size(), 1));
        try {
            byte[] bytes = Files.readAllBytes(file);
            Entry last = lastEntry(bytes);
            if (last.length == 0) {
                return Optional.empty();
            }
            int torn = 1 + fault.choose(last.length - Integer.BYTES - 1, 2);
            try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
                log.seek(last.end);
                log.write(bytes, last.end - last.length, torn);
            }
            return Optional.of(
                    torn
                            + " of "
                            + last.length
                            + " bytes of an entry at byte "
                            + last.end
                            + " of "
                            + file.getFileName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the whole entries end, and how long the last one is. */
    private record Entry(int end, int length) {}

    private static Entry lastEntry(byte[] bytes) {
        int position = RAFT_HEADER;
        int length = 0;
        while (position < bytes.length) {
            int whole = wholeEntry(bytes, position);
            if (whole == 0) {
                break;
            }
            length = whole;
            position += whole;
        }
        return new Entry(position, length);
    }

    /**
     * Length of the sound entry at this position with its length and checksum, 0 if none is there.
     */
    private static int wholeEntry(byte[] bytes, int position) {
        long length = 0;
        int at = position;
        for (int shift = 0; at < bytes.length && shift < 35; shift += 7) {
            byte next = bytes[at++];
            length |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                break;
            }
        }
        if (length <= 0 || at + length + Integer.BYTES > bytes.length) {
            return 0;
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes, position, at - position + (int) length);
        int stored = ByteBuffer.wrap(bytes).getInt(at + (int) length);
        return stored == (int) crc.getValue() ? at - position + (int) length + Integer.BYTES : 0;
    }

    /** Changes a byte in the first half of a log segment, which a checkpoint has covered. */
    static Optional<Flip> flipInLog(Path dataDirectory, PlannedFault fault) {
        return flip(
                find(
                        dataDirectory.resolve("shards"),
                        path ->
                                path.getFileName().toString().endsWith(".log")
                                        && contains(path, "log")),
                fault,
                2);
    }

    /** Changes a byte of a data file of the newest checkpoint. */
    static Optional<Flip> flipInState(Path dataDirectory, PlannedFault fault) {
        return flip(
                find(
                        dataDirectory.resolve("shards"),
                        path ->
                                path.getFileName().toString().endsWith(".sst")
                                        && contains(path, "checkpoints")),
                fault,
                1);
    }

    /** The finished checkpoints of the first shard. */
    static Set<String> checkpoints(Path dataDirectory) {
        Path folder = dataDirectory.resolve("shards/0/checkpoints");
        try (Stream<Path> found = Files.list(folder)) {
            return found.map(path -> path.getFileName().toString())
                    .filter(name -> name.matches("\\d+"))
                    .collect(Collectors.toSet());
        } catch (NoSuchFileException e) {
            return Set.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Flip> flip(List<Path> candidates, PlannedFault fault, int part) {
        List<Path> large =
                candidates.stream().filter(path -> size(path) >= LEAST_BYTES).sorted().toList();
        if (large.isEmpty()) {
            return Optional.empty();
        }
        Path file = large.get(fault.choose(large.size(), 1));
        int within = (int) Math.min(Integer.MAX_VALUE, size(file) / part);
        long position = fault.choose(within, 2);
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
            bytes.seek(position);
            byte original = bytes.readByte();
            write(file, position, (byte) (original ^ 1 << fault.choose(8, 3)));
            return Optional.of(new Flip(file, position, original));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, long position, byte value) {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(position);
            bytes.write(value);
            bytes.getFD().sync();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean contains(Path path, String folder) {
        for (Path part : path) {
            if (part.toString().equals(folder)) {
                return true;
            }
        }
        return false;
    }

    private static long size(Path path) {
        try {
            return Files.size(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> find(Path folder, Predicate<Path> wanted) {
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(Files::isRegularFile).filter(wanted).sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
