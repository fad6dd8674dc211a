package io.flinkfluss.storage.server.disk;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A disk in memory that loses what was not made durable when the power goes. It takes what a test
 * does with paths, files and folders, hard links included; one thread.
 */
public final class SimulatedDisk extends FileSystem {
    private final DiskTree tree = new DiskTree();
    private final DiskProvider provider = new DiskProvider(this);
    private long changesLeft = Long.MAX_VALUE;
    private boolean failed;

    /** The folder that is always there. */
    public Path root() {
        return new DiskPath(this, true, List.of());
    }

    /** After so many more changes every other fails, as if the power were gone. */
    public void failAfter(long changes) {
        changesLeft = changes;
    }

    /** Whether a change failed. */
    public boolean hasFailed() {
        return failed;
    }

    /**
     * The power goes and comes back. Open files must not be used any more. Of the changes of names
     * since a folder was last made durable the later ones are undone, as many as chance says; the
     * content of each file that was written since it was made durable is new, cut, garbage, or old.
     */
    public void losePower(Random random) {
        tree.losePower(random);
        changesLeft = Long.MAX_VALUE;
        failed = false;
    }

    DiskTree tree() {
        return tree;
    }

    /** Before each change. */
    void changes() throws IOException {
        if (changesLeft == 0) {
            failed = true;
            throw new IOException("the power is gone");
        }
        changesLeft--;
    }

    @Override
    public DiskProvider provider() {
        return provider;
    }

    @Override
    public Path getPath(String first, String... more) {
        return DiskPath.parse(
                this, more.length == 0 ? first : first + "/" + String.join("/", more));
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(root());
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic", "unix");
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        throw new UnsupportedOperationException("a simulated disk has no patterns");
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new UnsupportedOperationException("a simulated disk has no users");
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException("a simulated disk cannot be watched");
    }

    @Override
    public void close() {}
}
