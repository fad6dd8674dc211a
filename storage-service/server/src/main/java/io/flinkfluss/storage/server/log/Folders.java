package io.flinkfluss.storage.server.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Folders whose content must be durable or must be gone. */
public final class Folders {
    private Folders() {}

    /** Names in the folder, in order; empty when it does not exist. */
    public static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /**
     * All regular files below a folder, in the order of their paths; none when it does not exist.
     * Others may create and delete files meanwhile: what was there all along is in the answer.
     */
    public static List<Path> filesBelow(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (attributes.isRegularFile()) {
                            files.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        return orGone(failure);
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                            throws IOException {
                        return orGone(failure);
                    }
                });
        files.sort(null);
        return files;
    }

    private static FileVisitResult orGone(IOException failure) throws IOException {
        if (failure != null && !(failure instanceof NoSuchFileException)) {
            throw failure;
        }
        return FileVisitResult.CONTINUE;
    }

    /** Makes the content of a file, or the names in a folder, durable. */
    public static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Replaces a small file: whatever happens meanwhile, it is the old one or the new one. */
    public static void replace(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(temporary, text);
        force(temporary);
        Files.move(
                temporary,
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        force(file.getParent());
    }

    /** Makes a folder and everything below it durable. */
    public static void forceTree(Path folder) throws IOException {
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        force(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                            throws IOException {
                        force(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    /** Deletes a folder and everything below it; nothing when it does not exist. */
    public static void deleteTree(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                            throws IOException {
                        Files.delete(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
