package io.flinkfluss.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileDamageTest {
    private static final int PREALLOCATED = 4096;

    @TempDir Path data;

    @Test
    void aTornWriteKeepsWholeEntriesAndLeavesTheFirstPartOfAnother() throws IOException {
        Path segment = data.resolve("raft/group/current/log_inprogress_0");
        byte[] whole = segment(3);
        Files.createDirectories(segment.getParent());
        Files.write(segment, Arrays.copyOf(whole, PREALLOCATED));

        for (int draw = 0; draw < 50; draw++) {
            Files.write(segment, Arrays.copyOf(whole, PREALLOCATED));
            assertThat(FileDamage.tearLastWrite(data, fault(draw))).isPresent();

            byte[] torn = Files.readAllBytes(segment);
            assertThat(torn).hasSize(PREALLOCATED).startsWith(whole);
            int written = torn.length;
            while (torn[written - 1] == 0) {
                written--;
            }
            assertThat(written)
                    .as("less than a whole entry")
                    .isGreaterThan(whole.length)
                    .isLessThan(whole.length + (whole.length - 8) / 3);
        }
    }

    @Test
    void aFlippedByteIsOneBitAndCanBeUndone() throws IOException {
        Path segment = data.resolve("shards/0/log/1/0/0/0.log");
        Files.createDirectories(segment.getParent());
        byte[] original = new byte[2_000];
        Arrays.fill(original, (byte) 0x55);
        Files.write(segment, original);

        FileDamage.Flip flip = FileDamage.flipInLog(data, fault(9)).orElseThrow();

        byte[] flipped = Files.readAllBytes(segment);
        int differing = 0;
        for (int i = 0; i < original.length; i++) {
            differing += Integer.bitCount(0xFF & (original[i] ^ flipped[i]));
        }
        assertThat(differing).isEqualTo(1);
        flip.undo();
        assertThat(Files.readAllBytes(segment)).isEqualTo(original);
        assertThat(FileDamage.flipInState(data, fault(9))).isEmpty();
    }

    private static PlannedFault fault(long draw) {
        return new PlannedFault(
                1, Duration.ZERO, FaultKind.TORN_WRITE, Duration.ZERO, draw * 0x12345678ABCDEFL);
    }

    /** As Ratis writes it: header, then length, bytes and checksum of each entry. */
    private static byte[] segment(int entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write("RaftLog1".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < entries; i++) {
            byte[] entry = new byte[101];
            Arrays.fill(entry, 1, 101, (byte) (i + 1));
            entry[0] = 100;
            CRC32C crc = new CRC32C();
            crc.update(entry);
            bytes.write(entry);
            bytes.write(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
        }
        return bytes.toByteArray();
    }
}
