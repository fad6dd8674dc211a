package io.flinkfluss.verify.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder on the machine's own disk, where power cuts and full disks cannot be tried. */
final class FolderDisk implements Disk {
    private final Path folder;

    FolderDisk(Path folder) {
        this.folder = folder;
        create();
    }

    @Override
    public Path dataDirectory() {
        return folder;
    }

    @Override
    public boolean isOwnFileSystem() {
        return false;
    }

    @Override
    public void fill(long bytesLeft) {
        throw unsupported();
    }

    @Override
    public void empty() {
        throw unsupported();
    }

    @Override
    public void losePower() {
        throw unsupported();
    }

    @Override
    public void powerOn() {
        throw unsupported();
    }

    @Override
    public void replace() {
        deleteContent(folder);
        create();
    }

    @Override
    public void close() {}

    private void create() {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes everything below a folder, but not the folder. */
    static void deleteContent(Path folder) {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(folder)) {
                    Files.delete(path);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("this needs a file system of the node's own");
    }
}
