package io.flinkfluss.flink.unionread.merge;

import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.RowView;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Key and row pairs on disk: written once from front to back, then read once, then deleted. */
final class SpillFile {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int NO_ROW = -1;

    private final Path path;
    private final RowCodec codec;
    private DataOutputStream output;
    private long entries;

    SpillFile(Path path, RowCodec codec) {
        this.path = path;
        this.codec = codec;
    }

    /**
     * @param row null for a deleted key
     */
    void write(byte[] key, byte[] row) throws IOException {
        if (output == null) {
            output =
                    new DataOutputStream(
                            new BufferedOutputStream(Files.newOutputStream(path), BUFFER_BYTES));
        }
        output.writeInt(key.length);
        output.write(key);
        output.writeInt(row == null ? NO_ROW : row.length);
        if (row != null) {
            output.write(row);
        }
        entries++;
    }

    boolean isEmpty() {
        return entries == 0;
    }

    void finish() throws IOException {
        if (output != null) {
            output.close();
            output = null;
        }
    }

    /** Reads what was written; the file is deleted when the reader is closed. */
    KeyedRows read() throws IOException {
        finish();
        return entries == 0 ? new Entries(null) : new Entries(openInput());
    }

    void delete() throws IOException {
        finish();
        Files.deleteIfExists(path);
    }

    private DataInputStream openInput() throws IOException {
        return new DataInputStream(
                new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES));
    }

    private final class Entries implements KeyedRows {
        private final DataInputStream input;
        private long left = entries;
        private byte[] key;
        private byte[] row;

        Entries(DataInputStream input) {
            this.input = input;
        }

        @Override
        public boolean next() throws IOException {
            if (left == 0) {
                return false;
            }
            left--;
            try {
                key = input.readNBytes(input.readInt());
                int length = input.readInt();
                row = length == NO_ROW ? null : input.readNBytes(length);
            } catch (EOFException e) {
                throw new IOException(
                        "spill file "
                                + path
                                + " ends "
                                + (left + 1)
                                + " entries too early; was it changed by another process?",
                        e);
            }
            return true;
        }

        @Override
        public byte[] key() {
            return key;
        }

        @Override
        public byte[] row() {
            return row;
        }

        @Override
        public RowView view() {
            return codec.decode(row);
        }

        @Override
        public void close() throws IOException {
            if (input != null) {
                input.close();
            }
            delete();
        }
    }
}
