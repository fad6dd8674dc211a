package io.flinkfluss.storage.api.wire;

import java.nio.ByteBuffer;

/** What a DoGet reads: the bytes of a {@link Ticket}. */
public sealed interface StreamTicket permits ScanTicket, KvScanTicket {
    byte[] encode();

    static StreamTicket decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        int kind = input.readByte();
        return switch (kind) {
            case ScanTicket.KIND -> ScanTicket.read(input);
            case KvScanTicket.KIND -> KvScanTicket.read(input);
            default -> throw input.corrupt("the ticket kind " + kind + "; 1 and 2 are known");
        };
    }
}
