package io.flinkfluss.storage.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every version of every format stays readable: a subclass per package lists values, and their
 * bytes are files in {@code src/test/resources/formats/<subclass>}, made once with {@code
 * -Dwrite.samples=true} by the release that introduced the version. Existing files are never
 * overwritten.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FormatSamples {
    private static final int LINE = 100;

    /** A version that no release will have. */
    private static final int FAR = 120;

    /** One or more of each version of each format of the package. */
    protected abstract Stream<FormatSample> samples();

    @ParameterizedTest
    @MethodSource("samples")
    void theBytesOfEachReleaseAreRead(FormatSample sample) throws IOException {
        byte[] stored = stored(sample);
        Object read = sample.reader().apply(ByteBuffer.wrap(stored));
        // Records that hold arrays are not equal to their like; floating point NaN only by equals.
        if (!sample.value().equals(read)) {
            assertThat(read).usingRecursiveComparison().isEqualTo(sample.value());
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void whatIsWrittenIsWhatTheVersionAlwaysWas(FormatSample sample) throws IOException {
        if (sample.writer() != null) {
            assertThat(HexFormat.of().formatHex(sample.writer().get()))
                    .as("a change of the bytes needs a new version")
                    .isEqualTo(HexFormat.of().formatHex(stored(sample)));
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aVersionFromTheFutureIsRefusedByName(FormatSample sample) throws IOException {
        if (sample.versionAt() < 0) {
            return;
        }
        byte[] stored = stored(sample);
        assertThat(stored[sample.versionAt()]).isEqualTo((byte) sample.version());
        stored[sample.versionAt()] = FAR;
        assertThatThrownBy(() -> sample.reader().apply(ByteBuffer.wrap(stored)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.INCOMPATIBLE_VERSION))
                .hasMessageContaining("version " + FAR)
                .hasMessageContaining(sample.format().name())
                .hasMessageContaining(sample.format().oldest() + " to " + sample.format().newest());
    }

    @Test
    void everyFileIsTested() throws IOException {
        List<String> tested = samples().map(FormatSample::file).sorted().toList();
        try (Stream<Path> files = Files.list(folder())) {
            assertThat(files.map(file -> file.getFileName().toString()).sorted().toList())
                    .isEqualTo(tested);
        }
    }

    private byte[] stored(FormatSample sample) throws IOException {
        Path file = folder().resolve(sample.file());
        if (Boolean.getBoolean("write.samples") && !Files.exists(file)) {
            write(file, HexFormat.of().formatHex(sample.writer().get()));
        }
        assertThat(file)
                .as("the release that introduces a version writes it with -Dwrite.samples=true")
                .exists();
        String hex = Files.readString(file, StandardCharsets.US_ASCII).replaceAll("\\s", "");
        return HexFormat.of().parseHex(hex);
    }

    private static void write(Path file, String hex) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < hex.length(); i += LINE) {
            lines.append(hex, i, Math.min(hex.length(), i + LINE)).append('\n');
        }
        Files.createDirectories(file.getParent());
        Files.writeString(file, lines, StandardCharsets.US_ASCII);
    }

    /** Tests run in their module's folder. */
    private Path folder() {
        return Path.of("src/test/resources/formats", getClass().getSimpleName());
    }
}
