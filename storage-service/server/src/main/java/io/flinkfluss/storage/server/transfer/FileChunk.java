package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.nio.ByteBuffer;

/**
 * Some bytes of a file.
 *
 * @param file its place in the listing
 * @param position of the first byte in the file
 */
public record FileChunk(int file, long position, ByteBuffer bytes) {
    static final Format FORMAT = Format.first("file part", "checkpoint.md");

    /** What travels beside the bytes. */
    public byte[] encodeHead() {
        WireOutput output = new WireOutput(16);
        output.writeVersion(FORMAT).writeVarint(file).writeVarint(position);
        return output.toByteArray();
    }

    /**
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA, INCOMPATIBLE_VERSION
     */
    public static FileChunk decode(ByteBuffer head, ByteBuffer bytes) {
        WireInput input = new WireInput(head);
        input.readVersion(FORMAT);
        return new FileChunk(input.readVarintAsInt(), input.readVarint(), bytes);
    }
}
