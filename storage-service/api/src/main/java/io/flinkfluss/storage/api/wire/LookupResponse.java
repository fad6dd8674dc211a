package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.EncodedRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The answer to one {@link LookupRequest} (app_metadata of a frame in the DoExchange stream).
 *
 * @param rows per key or prefix of the request, in its order, the rows found: none or one for a
 *     key, any number for a prefix; empty when there is an error
 */
public record LookupResponse(
        long requestId, List<List<EncodedRow>> rows, Optional<ErrorFrame> error) {
    static final Format FORMAT = Format.first("lookup response", "wire.md");

    public LookupResponse {
        rows = List.copyOf(rows);
    }

    public static LookupResponse found(long requestId, List<List<EncodedRow>> rows) {
        return new LookupResponse(requestId, rows, Optional.empty());
    }

    public static LookupResponse failed(long requestId, StorageException error) {
        return new LookupResponse(requestId, List.of(), Optional.of(ErrorFrame.of(error)));
    }

    public byte[] encode() {
        WireOutput output = new WireOutput(32 + 128 * rows.size());
        output.writeVersion(FORMAT).writeVarint(requestId).writeBoolean(error.isPresent());
        if (error.isPresent()) {
            error.get().write(output);
            return output.toByteArray();
        }
        output.writeVarint(rows.size());
        for (List<EncodedRow> found : rows) {
            output.writeVarint(found.size());
            for (EncodedRow row : found) {
                output.writeVarint(row.schemaId()).writeBytes(row.bytes());
            }
        }
        return output.toByteArray();
    }

    public static LookupResponse decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(FORMAT);
        long requestId = input.readVarint();
        if (input.readBoolean()) {
            return new LookupResponse(requestId, List.of(), Optional.of(ErrorFrame.read(input)));
        }
        int keys = input.readCount();
        List<List<EncodedRow>> rows = new ArrayList<>(keys);
        for (int i = 0; i < keys; i++) {
            rows.add(readRows(input));
        }
        return found(requestId, rows);
    }

    private static List<EncodedRow> readRows(WireInput input) {
        int count = input.readCount();
        if (count == 0) {
            return List.of();
        }
        if (count == 1) {
            return List.of(readRow(input));
        }
        List<EncodedRow> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rows.add(readRow(input));
        }
        return rows;
    }

    private static EncodedRow readRow(WireInput input) {
        return new EncodedRow(input.readVarintAsInt(), input.readBytes());
    }
}
