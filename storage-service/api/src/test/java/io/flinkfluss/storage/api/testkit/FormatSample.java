package io.flinkfluss.storage.api.testkit;

import io.flinkfluss.storage.api.format.Format;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A value in one version of a format. Its bytes are a file that is never changed; see {@link
 * FormatSamples}.
 *
 * @param variant tells several samples of a version apart; empty for the only one
 * @param value what the bytes mean to this release
 * @param writer the bytes as this release writes them; null when it does not write this version
 * @param reader makes the value of bytes
 * @param versionAt where the version is; -1 when other bytes depend on it, such as a checksum
 */
public record FormatSample(
        Format format,
        int version,
        String variant,
        Object value,
        Supplier<byte[]> writer,
        Function<ByteBuffer, ?> reader,
        int versionAt) {

    /** Of the newest version, which is written, and which begins the bytes. */
    public static <T> FormatSample of(
            Format format, T value, Function<T, byte[]> writer, Function<ByteBuffer, T> reader) {
        return new FormatSample(
                format, format.newest(), "", value, () -> writer.apply(value), reader, 0);
    }

    /** One of several of this version. */
    public FormatSample variant(String name) {
        return new FormatSample(format, version, name, value, writer, reader, versionAt);
    }

    /** Of an older version that is still written, for an older reader. */
    public FormatSample version(int older) {
        return new FormatSample(format, older, variant, value, writer, reader, versionAt);
    }

    /** Of an older version that is not written any more, or not from this value. */
    public FormatSample onlyRead(int older) {
        return new FormatSample(format, older, variant, value, null, reader, versionAt);
    }

    public FormatSample versionAt(int place) {
        return new FormatSample(format, version, variant, value, writer, reader, place);
    }

    /** Name of the file with its bytes. */
    public String file() {
        return format.name().replace(' ', '-')
                + (variant.isEmpty() ? "" : "." + variant)
                + "-v"
                + version
                + ".hex";
    }

    @Override
    public String toString() {
        return file();
    }
}
