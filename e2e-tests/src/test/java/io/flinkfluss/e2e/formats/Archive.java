package io.flinkfluss.e2e.formats;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** A folder as one compressed file; the zeros of preallocated logs take next to nothing. */
final class Archive {
    private Archive() {}

    /** Packs all files and empty folders below {@code folder}. */
    static void pack(Path folder, Path archive) throws IOException {
        try (OutputStream file = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(file);
                Stream<Path> tree = Files.walk(folder)) {
            zip.setLevel(Deflater.BEST_COMPRESSION);
            for (Path path : tree.sorted().toList()) {
                String name = folder.relativize(path).toString();
                if (Files.isRegularFile(path)) {
                    zip.putNextEntry(entry(name));
                    Files.copy(path, zip);
                    zip.closeEntry();
                } else if (isEmpty(path)) {
                    zip.putNextEntry(entry(name + "/"));
                    zip.closeEntry();
                }
            }
        }
    }

    /** Unpacks into a folder that does not exist yet. */
    static void unpack(InputStream archive, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (ZipInputStream zip = new ZipInputStream(archive)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path path = folder.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else {
                    Files.createDirectories(path.getParent());
                    Files.copy(zip, path);
                }
            }
        }
    }

    /** The same bytes for the same content, whenever it is packed. */
    private static ZipEntry entry(String name) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0);
        return entry;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    static List<String> names(InputStream archive) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(archive)) {
            List<String> names = new java.util.ArrayList<>();
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName());
            }
            return names;
        }
    }
}
