package io.flinkfluss.storage.api.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Random;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.junit.jupiter.api.Test;

class Lz4FrameTest {
    private final Lz4Frame frame = new Lz4Frame();

    private byte[] compress(byte[] bytes) {
        return frame.compress(bytes, bytes.length);
    }

    /** By another implementation of the format. */
    private static byte[] decompress(byte[] frame) throws IOException {
        try (FramedLZ4CompressorInputStream input =
                new FramedLZ4CompressorInputStream(new ByteArrayInputStream(frame))) {
            return input.readAllBytes();
        }
    }

    @Test
    void everyLengthAndMixtureComesBack() throws IOException {
        Random random = new Random(7);
        for (int round = 0; round < 400; round++) {
            int length = round < 60 ? round : random.nextInt(200_000);
            int symbols = 1 + random.nextInt(round % 3 == 0 ? 3 : 256);
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) {
                bytes[i] =
                        i > 40 && random.nextInt(4) > 0
                                ? bytes[i - 1 - random.nextInt(1 + round % 40)]
                                : (byte) random.nextInt(symbols);
            }
            assertThat(decompress(compress(bytes))).as("round %d", round).isEqualTo(bytes);
        }
    }

    @Test
    void repetitionShrinksAndNoiseHardlyGrows() {
        byte[] noise = new byte[300_000];
        new Random(1).nextBytes(noise);

        assertThat(compress(new byte[300_000])).hasSizeLessThan(2_000);
        assertThat(compress(noise)).hasSizeLessThan(300_100);
    }
}
