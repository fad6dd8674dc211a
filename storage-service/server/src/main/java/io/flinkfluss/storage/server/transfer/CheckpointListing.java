package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import io.flinkfluss.storage.server.replication.CheckpointFile;
import io.flinkfluss.storage.server.replication.Position;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of a leased checkpoint; they are asked for by their place in the list.
 *
 * @param lease number of the lease, which ends when nothing was asked of it for a while
 */
public record CheckpointListing(long lease, Position position, List<Entry> files) {
    static final Format FORMAT = Format.first("checkpoint listing", "checkpoint.md");

    public CheckpointListing {
        files = List.copyOf(files);
    }

    /**
     * @param sameAs place of an earlier file with the same content, or -1
     */
    public record Entry(String name, long length, int sameAs) {}

    public long totalBytes() {
        return files.stream()
                .filter(file -> file.sameAs() < 0)
                .mapToLong(CheckpointListing.Entry::length)
                .sum();
    }

    public byte[] encode() {
        WireOutput output = new WireOutput(64 + 64 * files.size());
        output.writeVersion(FORMAT).writeLong(lease);
        output.writeZigzag(position.term()).writeZigzag(position.index());
        output.writeVarint(files.size());
        for (Entry file : files) {
            output.writeString(file.name()).writeVarint(file.length()).writeZigzag(file.sameAs());
        }
        return output.toByteArray();
    }

    /**
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA, also when a name leads
     *     out of the checkpoint's folder; INCOMPATIBLE_VERSION
     */
    public static CheckpointListing decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(FORMAT);
        long lease = input.readLong();
        Position position = new Position(input.readZigzag(), input.readZigzag());
        int count = input.readCount();
        List<Entry> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Entry file =
                    new Entry(input.readString(), input.readVarint(), (int) input.readZigzag());
            if (!CheckpointFile.isName(file.name())) {
                throw input.corrupt("a file named \"" + file.name() + "\" in a checkpoint");
            }
            if (file.length() < 0 || file.sameAs() >= i || file.sameAs() < -1) {
                throw input.corrupt("a file like " + file + " at place " + i);
            }
            files.add(file);
        }
        return new CheckpointListing(lease, position, files);
    }
}
