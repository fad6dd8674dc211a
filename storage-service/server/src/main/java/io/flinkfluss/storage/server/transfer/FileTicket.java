package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Asks a DoGet for parts of the files of a leased checkpoint. */
public record FileTicket(long lease, List<Range> ranges) {
    /** The first byte, beside those of {@link io.flinkfluss.storage.api.wire.StreamTicket}. */
    public static final int KIND = 3;

    static final Format FORMAT = Format.first("file ticket", "checkpoint.md");

    public FileTicket {
        ranges = List.copyOf(ranges);
    }

    /**
     * @param file its place in the listing
     */
    public record Range(int file, long from, long length) {}

    public static boolean isOne(ByteBuffer ticket) {
        return ticket.hasRemaining() && ticket.get(ticket.position()) == KIND;
    }

    public byte[] encode() {
        WireOutput output = new WireOutput(32 + 16 * ranges.size());
        output.writeByte(KIND).writeVersion(FORMAT).writeLong(lease).writeVarint(ranges.size());
        for (Range range : ranges) {
            output.writeVarint(range.file()).writeVarint(range.from()).writeVarint(range.length());
        }
        return output.toByteArray();
    }

    /**
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA, INCOMPATIBLE_VERSION
     */
    public static FileTicket decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        int kind = input.readByte();
        if (kind != KIND) {
            throw input.corrupt("a ticket of kind " + kind + " where files are asked for");
        }
        input.readVersion(FORMAT);
        long lease = input.readLong();
        int count = input.readCount();
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Range range =
                    new Range(input.readVarintAsInt(), input.readVarint(), input.readVarint());
            if (range.file() < 0 || range.from() < 0 || range.length() < 0) {
                throw input.corrupt("a part like " + range);
            }
            ranges.add(range);
        }
        return new FileTicket(lease, ranges);
    }
}
