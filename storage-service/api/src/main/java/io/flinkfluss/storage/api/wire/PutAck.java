package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.AppendResult;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The answer to one put (app_metadata of a {@link PutResult}).
 *
 * @param requestId of the {@link PutHeader}; 0 for a put without one
 * @param result where it was stored; meaningless when there is an error
 */
public record PutAck(long requestId, AppendResult result, Optional<ErrorFrame> error) {
    static final Format FORMAT = Format.first("put acknowledgement", "wire.md");

    public static PutAck stored(long requestId, AppendResult result) {
        return new PutAck(requestId, result, Optional.empty());
    }

    public static PutAck failed(long requestId, StorageException error) {
        return new PutAck(
                requestId, new AppendResult(-1, false), Optional.of(ErrorFrame.of(error)));
    }

    public byte[] encode() {
        WireOutput output = new WireOutput(32);
        output.writeVersion(FORMAT).writeVarint(requestId).writeBoolean(error.isPresent());
        if (error.isPresent()) {
            error.get().write(output);
        } else {
            output.writeZigzag(result.baseOffset()).writeBoolean(result.duplicate());
        }
        return output.toByteArray();
    }

    public static PutAck decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(FORMAT);
        long requestId = input.readVarint();
        if (input.readBoolean()) {
            return new PutAck(
                    requestId, new AppendResult(-1, false), Optional.of(ErrorFrame.read(input)));
        }
        return stored(requestId, new AppendResult(input.readZigzag(), input.readBoolean()));
    }
}
