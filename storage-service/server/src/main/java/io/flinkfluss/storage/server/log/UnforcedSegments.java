package io.flinkfluss.storage.server.log;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * What was written to segments and is not known to be durable. One thread adds; any thread may make
 * it durable while the first goes on writing.
 */
final class UnforcedSegments {
    private final Path root;
    private final Executor helpers;

    /** Held while something is made durable, so that whoever waits for it finds it done. */
    private final Object forcing = new Object();

    private Set<Segment> segments = new LinkedHashSet<>();
    private Set<Path> folders = new LinkedHashSet<>();
    private long bytes;

    /** Of an earlier attempt: the system forgets what it could not write and reports it once. */
    private IOException failure;

    /**
     * @param root folder of the logs
     * @param helpers threads that may help the one that makes it durable
     */
    UnforcedSegments(Path root, Executor helpers) {
        this.root = root;
        this.helpers = helpers;
    }

    /** Files were made or deleted in this folder. */
    synchronized void changed(Path folder) {
        for (Path each = folder; each != null && each.startsWith(root); each = each.getParent()) {
            if (!folders.add(each)) {
                return;
            }
        }
    }

    /** Bytes were added to the segment. */
    synchronized void grew(Segment segment, long count) {
        segments.add(segment);
        bytes += count;
    }

    /** The segment is about to be deleted. */
    synchronized void forget(Segment segment) {
        segments.remove(segment);
    }

    /** Bytes written since the last {@link #force}. */
    synchronized long bytes() {
        return bytes;
    }

    /** Makes durable everything that was written before the call. */
    void force() throws IOException {
        synchronized (forcing) {
            if (failure != null) {
                throw new IOException("an earlier attempt failed and may have lost data", failure);
            }
            Set<Segment> takenSegments;
            Set<Path> takenFolders;
            synchronized (this) {
                takenSegments = segments;
                takenFolders = folders;
                segments = new LinkedHashSet<>();
                folders = new LinkedHashSet<>();
                bytes = 0;
            }
            try {
                SharedWork work = new SharedWork();
                takenSegments.forEach(segment -> work.add(() -> force(segment)));
                takenFolders.forEach(folder -> work.add(() -> forceFolder(folder)));
                work.run(helpers);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }

    private static void force(Segment segment) throws IOException {
        try {
            segment.force();
            segment.storeIndex();
        } catch (NoSuchFileException deleted) {
            // Its table was dropped, or retention took it, and no checkpoint needs it.
        }
    }

    private static void forceFolder(Path folder) throws IOException {
        try {
            Folders.force(folder);
        } catch (NoSuchFileException deleted) {
            // As above.
        }
    }
}
