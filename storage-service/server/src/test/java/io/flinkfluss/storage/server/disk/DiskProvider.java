package io.flinkfluss.storage.server.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Does what {@link java.nio.file.Files} is asked for on one simulated disk. */
final class DiskProvider extends FileSystemProvider {
    private final SimulatedDisk disk;

    DiskProvider(SimulatedDisk disk) {
        this.disk = disk;
    }

    private DiskTree tree() {
        return disk.tree();
    }

    @Override
    public FileChannel newFileChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        DiskPath place = (DiskPath) path;
        DiskNode node = tree().find(place);
        boolean mayCreate = options.contains(StandardOpenOption.CREATE);
        if (options.contains(StandardOpenOption.CREATE_NEW)) {
            if (node != null) {
                throw new FileAlreadyExistsException(path.toString());
            }
            mayCreate = true;
        }
        if (node == null && mayCreate) {
            disk.changes();
            node = new DiskFile();
            tree().add(place, node);
        }
        node = node == null ? tree().get(place) : node;
        if (node instanceof DiskFile file) {
            if (options.contains(StandardOpenOption.TRUNCATE_EXISTING) && file.size() > 0) {
                disk.changes();
                file.truncate(0);
            }
            boolean atEnd = options.contains(StandardOpenOption.APPEND);
            return new DiskChannel(disk, file, atEnd ? file.size() : 0);
        }
        return new DiskChannel(disk, node, 0);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
            Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String name : tree().folder((DiskPath) folder).entries().keySet()) {
            Path path = folder.resolve(name);
            if (filter.accept(path)) {
                found.add(path);
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return found.iterator();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        disk.changes();
        tree().add((DiskPath) folder, new DiskFolder());
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        disk.changes();
        tree().add((DiskPath) link, tree().get((DiskPath) existing));
    }

    @Override
    public void delete(Path path) throws IOException {
        disk.changes();
        tree().delete((DiskPath) path);
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        if (!(tree().get((DiskPath) source) instanceof DiskFile from) || options.length > 0) {
            throw new UnsupportedOperationException("only a file is copied, to a free name");
        }
        disk.changes();
        DiskFile copy = new DiskFile();
        copy.copyFrom(from);
        tree().add((DiskPath) target, copy);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        if (options.length == 0 && tree().find((DiskPath) target) != null) {
            throw new FileAlreadyExistsException(target.toString());
        }
        for (CopyOption option : options) {
            if (!(option instanceof StandardCopyOption)) {
                throw new UnsupportedOperationException("a move with " + option);
            }
        }
        disk.changes();
        tree().move((DiskPath) source, (DiskPath) target);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return tree().get((DiskPath) path) == tree().get((DiskPath) other);
    }

    @Override
    public boolean isHidden(Path path) {
        return false;
    }

    @Override
    public FileStore getFileStore(Path path) {
        return new DiskStore();
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        tree().get((DiskPath) path);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return null;
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
            Path path, Class<A> type, LinkOption... options) throws IOException {
        return type.cast(tree().get((DiskPath) path));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
            throws IOException {
        if (!names.equals("unix:nlink")) {
            throw new UnsupportedOperationException("the attributes " + names);
        }
        return Map.of("nlink", tree().links(tree().get((DiskPath) path)));
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options) {
        throw new UnsupportedOperationException("to set the attribute " + name);
    }

    @Override
    public String getScheme() {
        return "simulated";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
        throw new UnsupportedOperationException("a simulated disk is made by its constructor");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return disk;
    }

    @Override
    public Path getPath(URI uri) {
        return disk.getPath(uri.getSchemeSpecificPart());
    }
}
