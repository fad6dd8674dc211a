package io.flinkfluss.lake.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.LockManager;

/**
 * Makes commits of a Hadoop catalog on a local file system safe between processes. Such a commit
 * looks whether the next metadata file exists and then renames onto it; two processes that do so at
 * once both succeed, and one commit is lost. Here each holds the operating system's lock on one
 * file in the warehouse meanwhile. The system frees it when a process dies.
 *
 * <p>Iceberg makes it by reflection. May be used by any thread.
 */
public final class LocalLockManager implements LockManager {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_MILLIS = 5;

    /**
     * Never closed: closing any channel of a file drops all locks that the process holds on it, and
     * another thread may hold one.
     */
    private static final Map<Path, LockFile> FILES = new ConcurrentHashMap<>();

    private final Map<String, FileLock> held = new ConcurrentHashMap<>();
    private volatile Path lockFile;

    @Override
    public void initialize(Map<String, String> properties) {
        String warehouse = properties.get(CatalogProperties.WAREHOUSE_LOCATION);
        Path folder = Path.of(URI.create(warehouse.replace(" ", "%20")).getPath()).normalize();
        lockFile = folder.resolve(".commit-lock");
    }

    @Override
    public boolean acquire(String entityId, String ownerId) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!tryAcquire(ownerId)) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private boolean tryAcquire(String ownerId) {
        try {
            FileLock lock = FILES.compute(lockFile, LocalLockManager::current).channel().tryLock();
            if (lock != null) {
                held.put(ownerId, lock);
            }
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // another thread of this process holds it
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + lockFile, e);
        }
    }

    /** The open file, opened anew when the warehouse was deleted and made again meanwhile. */
    private static LockFile current(Path file, LockFile open) {
        try {
            if (open != null && Files.exists(file) && open.key().equals(key(file))) {
                return open;
            }
            Files.createDirectories(file.getParent());
            FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            return new LockFile(channel, key(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the lock file " + file, e);
        }
    }

    private static String key(Path file) throws IOException {
        return String.valueOf(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    @Override
    public boolean release(String entityId, String ownerId) {
        FileLock lock = held.remove(ownerId);
        if (lock == null) {
            return false;
        }
        try {
            lock.release();
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unlock " + lockFile, e);
        }
    }

    /** Nothing to close: a lock is only held during a commit. */
    @Override
    public void close() {}

    private record LockFile(FileChannel channel, String key) {}
}
