package io.flinkfluss.storage.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShiftedClockTest {
    @TempDir Path folder;

    @Test
    void followsTheFileAndNeverLosesTheCounter() throws Exception {
        Path file = folder.resolve("offset");
        Manual manual = new Manual();
        ShiftedClock clock = new ShiftedClock(manual, file);

        assertThat(clock.millis()).as("without a file").isEqualTo(1_000);

        Files.writeString(file, "-400\n");
        assertThat(clock.millis()).as("before it looks again").isEqualTo(1_000);
        manual.nanos += 100_000_000;
        assertThat(clock.millis()).isEqualTo(600);

        Files.writeString(file, "half written 12");
        manual.nanos += 100_000_000;
        assertThat(clock.millis()).as("unreadable: as before").isEqualTo(600);
        assertThat(clock.nanos()).isEqualTo(manual.nanos);
    }

    private static final class Manual implements ServerClock {
        private long nanos = 77;

        @Override
        public long millis() {
            return 1_000;
        }

        @Override
        public long nanos() {
            return nanos;
        }
    }
}
