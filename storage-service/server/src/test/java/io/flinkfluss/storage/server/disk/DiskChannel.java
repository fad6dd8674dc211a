package io.flinkfluss.storage.server.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** An open file, or a folder that is opened to make its names durable. */
final class DiskChannel extends FileChannel {
    private final SimulatedDisk disk;
    private final DiskNode node;
    private long position;

    DiskChannel(SimulatedDisk disk, DiskNode node, long position) {
        this.disk = disk;
        this.node = node;
        this.position = position;
    }

    private DiskFile file() throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        if (node instanceof DiskFile file) {
            return file;
        }
        throw new IOException("Is a directory");
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int count = file().read(position, target);
        position += Math.max(0, count);
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            count += Math.max(0, read(targets[i]));
        }
        return count == 0 ? -1 : count;
    }

    @Override
    public int read(ByteBuffer target, long from) throws IOException {
        return file().read(from, target);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int count = write(source, position);
        position += count;
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            count += write(sources[i]);
        }
        return count;
    }

    @Override
    public int write(ByteBuffer source, long from) throws IOException {
        disk.changes();
        return file().write(from, source);
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public FileChannel position(long next) {
        position = next;
        return this;
    }

    @Override
    public long size() throws IOException {
        return file().size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        disk.changes();
        file().truncate(size);
        position = Math.min(position, size);
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        disk.changes();
        if (node instanceof DiskFolder) {
            disk.tree().force();
        } else {
            file().force();
        }
    }

    @Override
    public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
        long length = Math.max(0, Math.min(count, file().size() - from));
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
        read(bytes, from);
        return target.write(bytes.flip());
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long to, long count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(count));
        int read = source.read(bytes);
        return read < 0 ? 0 : write(bytes.flip(), to);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long from, long size) {
        throw new UnsupportedOperationException("a simulated file cannot be mapped");
    }

    @Override
    public FileLock lock(long from, long size, boolean shared) {
        throw new UnsupportedOperationException("a simulated file cannot be locked");
    }

    @Override
    public FileLock tryLock(long from, long size, boolean shared) {
        throw new UnsupportedOperationException("a simulated file cannot be locked");
    }

    @Override
    protected void implCloseChannel() {}
}
