package io.flinkfluss.storage.server.shard;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Finds the files of a replica. */
final class FolderFiles {
    private FolderFiles() {}

    /** All files below the folder, in order of their names; none when it does not exist. */
    static List<Path> below(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.exists(root)) {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            files.add(file);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        }
        files.sort(null);
        return files;
    }
}
