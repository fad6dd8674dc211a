package io.flinkfluss.storage.server.disk;

import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * The names of a disk. Their changes become durable in the order they were made, as in a file
 * system with a journal: all of them when some folder is made durable, and else perhaps.
 */
final class DiskTree {
    private final DiskFolder root = new DiskFolder();

    /** Changes that may not be durable, oldest first. */
    private final Deque<List<Change>> journal = new ArrayDeque<>();

    /** What a name led to before, null for nothing. */
    private record Change(DiskFolder folder, String name, DiskNode before) {
        static Change of(DiskFolder folder, String name) {
            return new Change(folder, name, folder.entries().get(name));
        }

        void undo() {
            set(folder, name, before);
        }
    }

    private static void set(DiskFolder folder, String name, DiskNode node) {
        if (node == null) {
            folder.entries().remove(name);
        } else {
            folder.entries().put(name, node);
        }
    }

    DiskNode get(DiskPath path) throws FileSystemException {
        DiskNode node = find(path);
        if (node == null) {
            throw new NoSuchFileException(path.toString());
        }
        return node;
    }

    /** Null when there is none. */
    DiskNode find(DiskPath path) throws FileSystemException {
        DiskNode node = root;
        for (String name : path.names()) {
            if (node instanceof DiskFolder folder) {
                node = folder.entries().get(name);
            } else if (node != null) {
                throw new NotDirectoryException(path.toString());
            }
        }
        return node;
    }

    DiskFolder folder(DiskPath path) throws FileSystemException {
        if (get(path) instanceof DiskFolder folder) {
            return folder;
        }
        throw new NotDirectoryException(path.toString());
    }

    private DiskFolder parent(DiskPath path) throws FileSystemException {
        return folder((DiskPath) path.getParent());
    }

    private static String name(DiskPath path) {
        return path.names().get(path.names().size() - 1);
    }

    /** Gives something a name that was free. */
    void add(DiskPath path, DiskNode node) throws FileSystemException {
        if (find(path) != null) {
            throw new FileAlreadyExistsException(path.toString());
        }
        DiskFolder folder = parent(path);
        journal.add(List.of(Change.of(folder, name(path))));
        set(folder, name(path), node);
    }

    void delete(DiskPath path) throws FileSystemException {
        checkDeletable(path, get(path));
        DiskFolder folder = parent(path);
        journal.add(List.of(Change.of(folder, name(path))));
        set(folder, name(path), null);
    }

    private static void checkDeletable(DiskPath path, DiskNode node) throws FileSystemException {
        if (node instanceof DiskFolder folder && !folder.entries().isEmpty()) {
            throw new DirectoryNotEmptyException(path.toString());
        }
    }

    /** Renames at once; what had the new name has it no more. */
    void move(DiskPath from, DiskPath to) throws FileSystemException {
        DiskNode moved = get(from);
        checkDeletable(to, find(to));
        DiskFolder source = parent(from);
        DiskFolder target = parent(to);
        journal.add(List.of(Change.of(source, name(from)), Change.of(target, name(to))));
        set(source, name(from), null);
        set(target, name(to), moved);
    }

    /** How many names the file has. */
    int links(DiskNode file) {
        return links(root, file);
    }

    private static int links(DiskFolder folder, DiskNode file) {
        int links = 0;
        for (DiskNode entry : folder.entries().values()) {
            links += entry == file ? 1 : 0;
            links += entry instanceof DiskFolder inner ? links(inner, file) : 0;
        }
        return links;
    }

    /** All names are durable. */
    void force() {
        journal.clear();
    }

    void losePower(Random random) {
        for (int lost = random.nextInt(journal.size() + 1); lost > 0; lost--) {
            List<Change> changes = journal.removeLast();
            for (int i = changes.size() - 1; i >= 0; i--) {
                changes.get(i).undo();
            }
        }
        journal.clear();
        losePower(root, random);
    }

    private static void losePower(DiskFolder folder, Random random) {
        for (DiskNode entry : folder.entries().values()) {
            if (entry instanceof DiskFolder inner) {
                losePower(inner, random);
            } else {
                ((DiskFile) entry).losePower(random);
            }
        }
    }
}
