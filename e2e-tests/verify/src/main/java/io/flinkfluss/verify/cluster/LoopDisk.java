package io.flinkfluss.verify.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An ext4 file system in a file, mounted over a loop device; needs root on Linux.
 *
 * <p>A power cut is ext4's own shutdown call without flushing its journal, as file-system tests use
 * it: at that moment every later write is refused, and what the kernel had not written back (pages
 * that nobody synced, and the journal's open transaction) is gone. The next mount replays the
 * journal, as after a real power loss. What had reached the loop device counts as written, so this
 * is a disk without a cache of its own. {@code noauto_da_alloc} switches off the favour that ext4
 * does to programs that rename without syncing.
 */
final class LoopDisk implements Disk {
    private static final long IMAGE_BYTES = 2L << 30;
    private static final String OPTIONS = "loop,noatime,noauto_da_alloc";

    /** Left for ext4's own books, and then written. */
    private static final long SPARE = 16L << 20;

    private static final int CHUNK = 1 << 20;

    /** FS_IOC_SHUTDOWN with "no log flush", from the kernel's header uapi/linux/fs.h. */
    private static final String SHUTDOWN =
            "open(F, '<', $ARGV[0]) or die $!; my $how = pack('L', 2);"
                    + " ioctl(F, 0x8004587d, $how) or die $!;";

    private final Path image;
    private final Path mountPoint;

    private LoopDisk(Path image, Path mountPoint) {
        this.image = image;
        this.mountPoint = mountPoint;
    }

    static LoopDisk create(Path image, Path mountPoint) {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(IMAGE_BYTES);
            Files.createDirectories(mountPoint);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Shell.run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        LoopDisk disk = new LoopDisk(image, mountPoint);
        disk.mount();
        return disk;
    }

    /** Tries all of it; the reason when this machine cannot. */
    static String whyNot(Path folder) {
        Path image = folder.resolve("try.img");
        Path mountPoint = folder.resolve("try");
        try (LoopDisk disk = create(image, mountPoint)) {
            disk.losePower();
            disk.powerOn();
            return "";
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        } finally {
            try {
                Files.deleteIfExists(image);
                Files.deleteIfExists(mountPoint);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public Path dataDirectory() {
        return mountPoint.resolve("data");
    }

    @Override
    public boolean isOwnFileSystem() {
        return true;
    }

    @Override
    public void fill(long bytesLeft) {
        byte[] chunk = new byte[CHUNK];
        try {
            FileStore store = Files.getFileStore(mountPoint);
            // Most of it without writing: gigabytes of zeros would slow down the disk below, which
            // the other nodes' file systems share.
            long most = store.getUsableSpace() - bytesLeft - SPARE;
            if (most > 0) {
                Shell.attempt("fallocate", "-l", Long.toString(most), ballast().toString());
            }
            fillRest(store, bytesLeft, chunk);
        } catch (IOException full) {
            if (Files.notExists(ballast())) {
                throw new UncheckedIOException(full);
            }
            // The node took the last bytes itself: the disk is full, as wanted.
        }
    }

    private void fillRest(FileStore store, long bytesLeft, byte[] chunk) throws IOException {
        try (var output =
                Files.newOutputStream(
                        ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (long free = store.getUsableSpace();
                    free > bytesLeft;
                    free = store.getUsableSpace()) {
                output.write(chunk, 0, (int) Math.min(CHUNK, free - bytesLeft));
                output.flush();
            }
        }
    }

    @Override
    public void empty() {
        try {
            Files.deleteIfExists(ballast());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void losePower() {
        Shell.run("perl", "-e", SHUTDOWN, mountPoint.toString());
    }

    @Override
    public void powerOn() {
        unmount();
        mount();
    }

    @Override
    public void replace() {
        unmount();
        Shell.run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
        mount();
    }

    @Override
    public void close() {
        unmount();
    }

    private void mount() {
        Shell.run("mount", "-o", OPTIONS, image.toString(), mountPoint.toString());
        try {
            Files.createDirectories(dataDirectory());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void unmount() {
        if (Shell.attempt("mountpoint", "-q", mountPoint.toString()).exitCode() != 0) {
            return;
        }
        Shell.Result polite = Shell.attempt("umount", mountPoint.toString());
        if (polite.exitCode() != 0) {
            // Something still holds a file open: detach, the loop device goes with the last one.
            Shell.run("umount", "-l", mountPoint.toString());
        }
    }

    private Path ballast() {
        return mountPoint.resolve("ballast");
    }
}
