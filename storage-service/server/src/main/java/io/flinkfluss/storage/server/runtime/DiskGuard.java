package io.flinkfluss.storage.server.runtime;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses writes before a disk is full, so that reads, checkpoints and deletions go on working, and
 * allows them again by itself. {@link #look} is called now and then by one thread; {@link
 * #checkWritable} by any.
 */
public final class DiskGuard {
    private static final Logger LOG = LoggerFactory.getLogger(DiskGuard.class);

    private final Usage usage;
    private final String what;
    private final double writeLimitRatio;
    private final long leastFreeBytes;
    private volatile String refusal;
    private volatile DiskFigures figures = new DiskFigures(0, 0, false);

    /**
     * @param what names the disk in errors
     * @param writeLimitRatio writes are refused when this part of the disk is used, 0 to 1
     * @param leastFreeBytes and when fewer bytes are free
     */
    public DiskGuard(Usage usage, String what, double writeLimitRatio, long leastFreeBytes) {
        this.usage = usage;
        this.what = what;
        this.writeLimitRatio = writeLimitRatio;
        this.leastFreeBytes = leastFreeBytes;
    }

    /**
     * Space of the disk that holds a folder, as {@code df} reckons its use: blocks that the file
     * system keeps for itself or for root are neither used nor free.
     */
    public static Usage of(Path folder) {
        return new Usage() {
            @Override
            public long totalBytes() throws IOException {
                FileStore store = store();
                long used = store.getTotalSpace() - store.getUnallocatedSpace();
                return used + store.getUsableSpace();
            }

            @Override
            public long freeBytes() throws IOException {
                return store().getUsableSpace();
            }

            private FileStore store() throws IOException {
                return Files.getFileStore(folder);
            }
        };
    }

    /** What the last look saw. */
    public DiskFigures figures() {
        return figures;
    }

    /** Looks at the disk. */
    public void look() {
        try {
            long total = usage.totalBytes();
            long free = usage.freeBytes();
            boolean full =
                    free < leastFreeBytes || (double) (total - free) >= writeLimitRatio * total;
            if (full != (refusal != null)) {
                LOG.warn(
                        "the disk of {} has {} of {} bytes free: writes are {}",
                        what,
                        free,
                        total,
                        full ? "refused" : "accepted again");
            }
            refusal = full ? describe(total, free) : null;
            figures = new DiskFigures(total, total - free, full);
        } catch (IOException e) {
            LOG.warn("cannot ask for the free space of {}", what, e);
        }
    }

    /**
     * @throws StorageException DISK_FULL
     */
    public void checkWritable() {
        String message = refusal;
        if (message != null) {
            throw new StorageException(ErrorCode.DISK_FULL, message);
        }
    }

    private String describe(long total, long free) {
        return "the disk of "
                + what
                + " has "
                + free
                + " of "
                + total
                + " bytes free; writes are refused from "
                + Math.round(writeLimitRatio * 100)
                + " % use (disk.write-limit-ratio) or below "
                + leastFreeBytes
                + " free bytes (disk.least-free-bytes). Reads go on. Free space or add a disk;"
                + " writes are accepted again by themselves";
    }

    /** Space of a disk. */
    public interface Usage {
        /** Used bytes and free ones. */
        long totalBytes() throws IOException;

        /** What this process may still write. */
        long freeBytes() throws IOException;
    }
}
