package io.flinkfluss.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counters of the machine; NaN where it does not have them, as only Linux has all. */
public final class Readings {
    private static final Path PROC = Path.of("/proc");
    private static final int BLOCK = 512;
    private static final int KIBI = 1024;
    private static final double TICKS_PER_SECOND = 100;
    private static final int COUNTED_STATES = 8;
    private static final int IDLE = 4;
    private static final int WAITING_FOR_DISK = 5;

    private Readings() {}

    /** CPU seconds of processes since their start. */
    public static double cpuSeconds(List<Long> pids) {
        double sum = 0;
        for (long pid : pids) {
            sum +=
                    ProcessHandle.of(pid)
                            .flatMap(process -> process.info().totalCpuDuration())
                            .map(Readings::seconds)
                            .orElse(Double.NaN);
        }
        return sum;
    }

    /** Resident memory of processes. */
    public static double residentBytes(List<Long> pids) {
        double sum = 0;
        for (long pid : pids) {
            sum += lineNumber(PROC.resolve(Long.toString(pid)).resolve("status"), "VmRSS:") * KIBI;
        }
        return sum;
    }

    /** Bytes that the loopback network received since the machine's start. */
    public static double loopbackBytes() {
        return lineNumber(PROC.resolve("net/dev"), "lo:");
    }

    /** Seconds that all processors together worked since the machine's start. */
    public static double busySeconds() {
        try {
            String[] fields = Files.readAllLines(PROC.resolve("stat")).get(0).split("\\s+");
            double ticks = 0;
            for (int i = 1; i <= COUNTED_STATES && i < fields.length; i++) {
                ticks += i == IDLE || i == WAITING_FOR_DISK ? 0 : Long.parseLong(fields[i]);
            }
            return ticks / TICKS_PER_SECOND;
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    /** Bytes that the files below folders take on the disk. */
    public static double diskBytes(List<Path> folders) {
        AtomicLong sum = new AtomicLong();
        for (Path folder : folders) {
            try {
                Files.walkFileTree(folder, new Adding(sum));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sum.get();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** The first number after a line's beginning. */
    private static double lineNumber(Path file, String beginning) {
        try {
            for (String line : Files.readAllLines(file)) {
                String text = line.strip();
                if (text.startsWith(beginning)) {
                    String numbers = text.substring(beginning.length()).strip();
                    return Long.parseLong(numbers.split("\\s+")[0]);
                }
            }
            return Double.NaN;
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    /** Files come and go while a server runs. */
    private static final class Adding extends SimpleFileVisitor<Path> {
        private final AtomicLong sum;

        Adding(AtomicLong sum) {
            this.sum = sum;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sum.addAndGet(allocated(file, attributes));
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException gone) {
            return FileVisitResult.CONTINUE;
        }

        private static long allocated(Path file, BasicFileAttributes attributes) {
            try {
                return ((Number) Files.getAttribute(file, "unix:blocks")).longValue() * BLOCK;
            } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
                return attributes.size();
            }
        }
    }
}
