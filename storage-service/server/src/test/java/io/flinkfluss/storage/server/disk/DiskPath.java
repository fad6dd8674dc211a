package io.flinkfluss.storage.server.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;

/** Names from the root of a simulated disk, or without a root from anywhere. */
final class DiskPath implements Path {
    private final SimulatedDisk disk;
    private final boolean absolute;
    private final List<String> names;

    DiskPath(SimulatedDisk disk, boolean absolute, List<String> names) {
        this.disk = disk;
        this.absolute = absolute;
        this.names = names;
    }

    static DiskPath parse(SimulatedDisk disk, String path) {
        List<String> names = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i <= path.length(); i++) {
            if (i == path.length() || path.charAt(i) == '/') {
                if (i > begin) {
                    names.add(path.substring(begin, i));
                }
                begin = i + 1;
            }
        }
        return new DiskPath(disk, path.startsWith("/"), names);
    }

    List<String> names() {
        return names;
    }

    private DiskPath of(boolean fromRoot, List<String> some) {
        return new DiskPath(disk, fromRoot, some);
    }

    @Override
    public SimulatedDisk getFileSystem() {
        return disk;
    }

    @Override
    public boolean isAbsolute() {
        return absolute;
    }

    @Override
    public Path getRoot() {
        return absolute ? of(true, List.of()) : null;
    }

    @Override
    public Path getFileName() {
        return names.isEmpty() ? null : getName(names.size() - 1);
    }

    @Override
    public Path getParent() {
        int count = names.size() - 1;
        boolean none = count < 0 || (count == 0 && !absolute);
        return none ? null : of(absolute, names.subList(0, count));
    }

    @Override
    public int getNameCount() {
        return names.size();
    }

    @Override
    public Path getName(int index) {
        return of(false, List.of(names.get(index)));
    }

    @Override
    public Path subpath(int from, int to) {
        return of(false, names.subList(from, to));
    }

    @Override
    public boolean startsWith(Path other) {
        return other instanceof DiskPath that
                && absolute == that.absolute
                && names.size() >= that.names.size()
                && names.subList(0, that.names.size()).equals(that.names);
    }

    @Override
    public boolean endsWith(Path other) {
        int size = other.getNameCount();
        return other instanceof DiskPath that
                && names.size() >= size
                && names.subList(names.size() - size, names.size()).equals(that.names)
                && (!that.absolute || (absolute && names.size() == size));
    }

    /** There are no links and nobody uses dots. */
    @Override
    public Path normalize() {
        return this;
    }

    @Override
    public Path resolve(Path other) {
        if (other.isAbsolute()) {
            return other;
        }
        List<String> all = new ArrayList<>(names);
        all.addAll(((DiskPath) other).names);
        return of(absolute, all);
    }

    @Override
    public Path relativize(Path other) {
        if (!other.startsWith(this)) {
            throw new IllegalArgumentException(other + " is not below " + this);
        }
        List<String> all = ((DiskPath) other).names;
        return of(false, all.subList(names.size(), all.size()));
    }

    @Override
    public URI toUri() {
        return URI.create("simulated:" + this);
    }

    @Override
    public Path toAbsolutePath() {
        return of(true, names);
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return toAbsolutePath();
    }

    @Override
    public WatchKey register(
            WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
            throws IOException {
        throw new UnsupportedOperationException("a simulated disk cannot be watched");
    }

    @Override
    public int compareTo(Path other) {
        List<String> others = ((DiskPath) other).names;
        int same = 0;
        while (same < names.size()
                && same < others.size()
                && names.get(same).equals(others.get(same))) {
            same++;
        }
        return same < names.size() && same < others.size()
                ? names.get(same).compareTo(others.get(same))
                : Integer.compare(names.size(), others.size());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DiskPath that
                && disk == that.disk
                && absolute == that.absolute
                && names.equals(that.names);
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }

    @Override
    public String toString() {
        return (absolute ? "/" : "") + String.join("/", names);
    }
}
