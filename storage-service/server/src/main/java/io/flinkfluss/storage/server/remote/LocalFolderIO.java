package io.flinkfluss.storage.server.remote;

import io.flinkfluss.storage.server.log.Folders;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * A folder that all nodes see, such as a mounted network disk, as remote storage. A file appears
 * all at once and durable when its stream is closed. Thread-safe.
 */
final class LocalFolderIO implements SupportsPrefixOperations {
    private static final long serialVersionUID = 1L;
    private static final String UNFINISHED = ".unfinished";

    @Override
    public InputFile newInputFile(String path) {
        return new Input(Path.of(path));
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return new Output(Path.of(path));
    }

    @Override
    public void deleteFile(String path) {
        try {
            Files.deleteIfExists(Path.of(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        try {
            List<FileInfo> found = new ArrayList<>();
            for (Path file : Folders.filesBelow(Path.of(prefix))) {
                found.add(new FileInfo(file.toString(), file.toFile().length(), 0));
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void deletePrefix(String prefix) {
        listPrefix(prefix).forEach(file -> deleteFile(file.location()));
    }

    private record Input(Path file) implements InputFile {
        @Override
        public long getLength() {
            try {
                return Files.size(file);
            } catch (NoSuchFileException e) {
                throw new NotFoundException(e, "%s does not exist", file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public SeekableInputStream newStream() {
            try {
                return new InputStreamOfFile(FileChannel.open(file, StandardOpenOption.READ));
            } catch (NoSuchFileException e) {
                throw new NotFoundException(e, "%s does not exist", file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String location() {
            return file.toString();
        }

        @Override
        public boolean exists() {
            return Files.exists(file);
        }
    }

    private record Output(Path file) implements OutputFile {
        @Override
        public PositionOutputStream create() {
            return createOrOverwrite();
        }

        @Override
        public PositionOutputStream createOrOverwrite() {
            try {
                Files.createDirectories(file.getParent());
                return new OutputStreamOfFile(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String location() {
            return file.toString();
        }

        @Override
        public InputFile toInputFile() {
            return new Input(file);
        }
    }

    private static final class InputStreamOfFile extends SeekableInputStream
            implements RangeReadable {
        private final FileChannel channel;

        InputStreamOfFile(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
                throws IOException {
            ByteBuffer target = ByteBuffer.wrap(buffer, offset, length);
            while (target.hasRemaining()) {
                if (channel.read(target, position + target.position() - offset) < 0) {
                    throw new EOFException("the file ends after " + channel.size() + " bytes");
                }
            }
        }

        @Override
        public int readTail(byte[] buffer, int offset, int length) throws IOException {
            int count = (int) Math.min(length, channel.size());
            readFully(channel.size() - count, buffer, offset, count);
            return count;
        }

        @Override
        public long getPos() throws IOException {
            return channel.position();
        }

        @Override
        public void seek(long position) throws IOException {
            channel.position(position);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            return channel.read(ByteBuffer.wrap(buffer, offset, length));
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private static final class OutputStreamOfFile extends PositionOutputStream {
        private final Path file;
        private final Path unfinished;
        private final FileChannel channel;

        OutputStreamOfFile(Path file) throws IOException {
            this.file = file;
            this.unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
            this.channel =
                    FileChannel.open(
                            unfinished,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE);
        }

        @Override
        public long getPos() throws IOException {
            return channel.position();
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer source = ByteBuffer.wrap(bytes, offset, length);
            while (source.hasRemaining()) {
                channel.write(source);
            }
        }

        @Override
        public void close() throws IOException {
            if (!channel.isOpen()) {
                return;
            }
            try (channel) {
                channel.force(true);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel folder = FileChannel.open(file.getParent())) {
                folder.force(true);
            }
        }
    }
}
