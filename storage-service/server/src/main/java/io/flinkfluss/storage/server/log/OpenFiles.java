package io.flinkfluss.storage.server.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A bounded number of open files, the least recently used closed first, so that many thousand logs
 * need few handles. Thread-safe; reads and writes name their position, so files are shared.
 */
final class OpenFiles implements AutoCloseable {
    /** Bytes moved by one call, so that the JDK's hidden per-thread buffers stay small. */
    private static final int CHUNK = 256 * 1024;

    private final int limit;

    /** Guarded by itself; in order of use. */
    private final Map<Path, OpenFile> files = new LinkedHashMap<>(16, 0.75f, true);

    OpenFiles(int limit) {
        this.limit = limit;
    }

    /**
     * Makes the file unless it is there.
     *
     * @param most bytes of it that may stay, for the caller to write over: freeing all of them
     *     would cost a disk far more
     */
    void create(Path path, long most) throws IOException {
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.truncate(most);
        }
    }

    /** Fills the target's remaining bytes, or ends early at the end of the file. */
    void read(Path file, long position, ByteBuffer target) throws IOException {
        long base = position - target.position();
        withFile(file, channel -> readFully(channel, base, target));
    }

    void write(Path file, long position, ByteBuffer source) throws IOException {
        long base = position - source.position();
        withFile(file, channel -> writeFully(channel, base, source));
    }

    void truncate(Path file, long length) throws IOException {
        withFile(file, channel -> channel.truncate(length));
    }

    /** Does not count as a use: thousands of files that are forced leave those in use open. */
    void force(Path path) throws IOException {
        OpenFile file;
        synchronized (files) {
            file = files.get(path);
            if (file != null) {
                file.users++;
            }
        }
        if (file == null) {
            forceOnce(path);
            return;
        }
        try {
            file.channel.force(false);
        } catch (ClosedChannelException e) {
            // As in withFile.
            forceOnce(path);
        } finally {
            file.release(this);
        }
    }

    private static void forceOnce(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.force(false);
        }
    }

    private static void readFully(FileChannel channel, long base, ByteBuffer target)
            throws IOException {
        int end = target.limit();
        try {
            while (target.position() < end) {
                target.limit(Math.min(end, target.position() + CHUNK));
                if (channel.read(target, base + target.position()) < 0) {
                    return;
                }
            }
        } finally {
            target.limit(end);
        }
    }

    private static void writeFully(FileChannel channel, long base, ByteBuffer source)
            throws IOException {
        while (source.hasRemaining()) {
            channel.write(source, base + source.position());
        }
    }

    private void withFile(Path path, Operation operation) throws IOException {
        try {
            runOnce(path, operation);
        } catch (ClosedChannelException e) {
            // Another thread was interrupted inside this file, which closes it for all. Positions
            // are absolute, so the operation goes on where it stopped.
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            runOnce(path, operation);
        }
    }

    private void runOnce(Path path, Operation operation) throws IOException {
        OpenFile file = acquire(path);
        try {
            operation.run(file.channel);
        } finally {
            file.release(this);
        }
    }

    private OpenFile acquire(Path path) throws IOException {
        synchronized (files) {
            OpenFile file = files.get(path);
            if (file == null || !file.channel.isOpen()) {
                file =
                        new OpenFile(
                                FileChannel.open(
                                        path, StandardOpenOption.READ, StandardOpenOption.WRITE));
                files.put(path, file);
                closeUnused(limit);
            }
            file.users++;
            return file;
        }
    }

    private void closeUnused(int keep) throws IOException {
        Iterator<OpenFile> oldest = files.values().iterator();
        while (files.size() > keep && oldest.hasNext()) {
            OpenFile file = oldest.next();
            if (file.users == 0) {
                oldest.remove();
                file.channel.close();
            }
        }
    }

    /** Forgets the files below this folder, which is about to be deleted. */
    void forget(Path folder) throws IOException {
        synchronized (files) {
            Iterator<Map.Entry<Path, OpenFile>> all = files.entrySet().iterator();
            while (all.hasNext()) {
                Map.Entry<Path, OpenFile> file = all.next();
                if (file.getKey().startsWith(folder)) {
                    all.remove();
                    file.getValue().channel.close();
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (files) {
            for (OpenFile file : files.values()) {
                file.channel.close();
            }
            files.clear();
        }
    }

    private interface Operation {
        void run(FileChannel channel) throws IOException;
    }

    private static final class OpenFile {
        private final FileChannel channel;
        private int users;

        OpenFile(FileChannel channel) {
            this.channel = channel;
        }

        void release(OpenFiles owner) {
            synchronized (owner.files) {
                users--;
            }
        }
    }
}
