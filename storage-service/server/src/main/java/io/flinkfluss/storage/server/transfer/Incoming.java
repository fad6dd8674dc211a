package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.replication.CheckpointTransfer.LocalFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/** The folder of a checkpoint being received: whole files and beginnings of files. One thread. */
final class Incoming implements AutoCloseable {
    private final Path root;
    private Path openPath;
    private FileChannel open;

    Incoming(Path root) {
        this.root = root;
    }

    /** Deletes what an earlier attempt received and this one does not need. */
    void keepOnly(Set<String> names) throws IOException {
        Files.createDirectories(root);
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        if (!names.contains(root.relativize(file).toString().replace('\\', '/'))) {
                            Files.delete(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    /** Bytes of a file that are here, 0 without any. */
    long length(String name) throws IOException {
        try {
            return Files.size(root.resolve(name));
        } catch (NoSuchFileException absent) {
            return 0;
        }
    }

    boolean exists(String name) {
        return Files.exists(root.resolve(name));
    }

    long checksum(String name, long length) throws IOException {
        return FileChecksum.of(root.resolve(name), length);
    }

    /** Adds bytes at the end of a file. */
    void append(String name, long position, ByteBuffer bytes) throws IOException {
        FileChannel channel = channel(name);
        if (channel.size() != position) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    "byte "
                            + position
                            + " of "
                            + name
                            + " was sent while "
                            + channel.size()
                            + " bytes are here");
        }
        while (bytes.hasRemaining()) {
            position += channel.write(bytes, position);
        }
    }

    private FileChannel channel(String name) throws IOException {
        Path path = root.resolve(name);
        if (!path.equals(openPath)) {
            close();
            Files.createDirectories(path.getParent());
            open = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            openPath = path;
        }
        return open;
    }

    /** Makes an empty file, unless there is one. */
    void touch(String name) throws IOException {
        channel(name);
    }

    /** Takes over a file that this replica has, or its beginning. */
    void reuse(String name, LocalFile local, long length) throws IOException {
        close();
        Path path = root.resolve(name);
        Files.createDirectories(path.getParent());
        Files.deleteIfExists(path);
        try {
            if (local.isComplete() && Files.size(local.path()) == length) {
                Files.createLink(path, local.path());
            } else {
                Files.copy(local.path(), path);
                cut(name, length);
            }
        } catch (NoSuchFileException deletedMeanwhile) {
            Files.deleteIfExists(path);
        }
    }

    /** Gives a file the content of another that is complete. */
    void link(String name, String from) throws IOException {
        close();
        Path path = root.resolve(name);
        Files.createDirectories(path.getParent());
        Files.deleteIfExists(path);
        Files.createLink(path, root.resolve(from));
    }

    /** Forgets what is past this length; forgets a wrong file that this replica uses, too. */
    void cut(String name, long length) throws IOException {
        close();
        Path path = root.resolve(name);
        if (Files.size(path) != length && isShared(path)) {
            Files.delete(path);
            return;
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            if (channel.size() > length) {
                channel.truncate(length);
            }
        }
    }

    private static boolean isShared(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView("unix")
                && (Integer) Files.getAttribute(path, "unix:nlink") > 1;
    }

    void delete(String name) throws IOException {
        close();
        Files.deleteIfExists(root.resolve(name));
    }

    /** Deletes the folder that a file is in. */
    void deleteFolderOf(String name) throws IOException {
        close();
        Folders.deleteTree(root.resolve(name).getParent());
    }

    /** Makes a file's content durable. */
    void force(String name) throws IOException {
        Folders.force(root.resolve(name));
    }

    /** Makes everything durable. */
    void forceAll() throws IOException {
        close();
        Folders.forceTree(root);
    }

    @Override
    public void close() throws IOException {
        openPath = null;
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
