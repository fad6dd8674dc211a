package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.format.Format;

/**
 * An error on the wire: inside {@link PutAck} and {@link LookupResponse}, and as the gRPC trailer
 * {@value #TRAILER}.
 *
 * @param code an {@link ErrorCode} number, perhaps one that only a newer version knows
 */
public record ErrorFrame(int code, String message) {
    /** Name of the binary gRPC trailer that carries the error of a failed call. */
    public static final String TRAILER = "fluss-error-bin";

    static final Format FORMAT = Format.first("error", "wire.md");
    private static final int LONGEST_MESSAGE = 2000;

    public static ErrorFrame of(StorageException error) {
        return new ErrorFrame(error.code().number(), String.valueOf(error.getMessage()));
    }

    /** Anything that is not a {@link StorageException} becomes INTERNAL. */
    public static ErrorFrame of(Throwable error) {
        return error instanceof StorageException known
                ? of(known)
                : new ErrorFrame(ErrorCode.INTERNAL.number(), error.toString());
    }

    public StorageException toException() {
        return new StorageException(ErrorCode.of(code), message);
    }

    /** Long messages are cut, because trailers are limited to a few kilobytes. */
    public byte[] encode() {
        WireOutput output = new WireOutput();
        write(output);
        return output.toByteArray();
    }

    public static ErrorFrame decode(byte[] bytes) {
        return read(new WireInput(bytes));
    }

    void write(WireOutput output) {
        String text =
                message.length() <= LONGEST_MESSAGE
                        ? message
                        : message.substring(0, LONGEST_MESSAGE) + "...";
        output.writeVersion(FORMAT).writeVarint(code).writeString(text);
    }

    static ErrorFrame read(WireInput input) {
        input.readVersion(FORMAT);
        return new ErrorFrame(input.readVarintAsInt(), input.readString());
    }
}
