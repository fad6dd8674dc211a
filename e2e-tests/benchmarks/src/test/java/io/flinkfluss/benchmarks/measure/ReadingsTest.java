package io.flinkfluss.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class ReadingsTest {
    private static final long SELF = ProcessHandle.current().pid();

    @TempDir Path folder;

    @Test
    void aFolderIsTheSumOfItsFiles() throws Exception {
        Files.write(folder.resolve("one"), new byte[100_000]);
        Files.write(Files.createDirectory(folder.resolve("deeper")).resolve("two"), new byte[5]);

        assertThat(Readings.diskBytes(List.of(folder))).isGreaterThanOrEqualTo(100_005);
        assertThat(Readings.diskBytes(List.of(folder.resolve("missing")))).isZero();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void linuxTellsEverything() {
        assertThat(Readings.cpuSeconds(List.of(SELF))).isPositive();
        assertThat(Readings.residentBytes(List.of(SELF))).isGreaterThan(10_000_000);
        assertThat(Readings.residentBytes(List.of(SELF, SELF))).isGreaterThan(20_000_000);
        assertThat(Readings.busySeconds()).isPositive();
        assertThat(Readings.loopbackBytes()).isNotNegative();
    }

    @Test
    void aProcessThatIsGoneHasNoReading() {
        List<Long> nobody = List.of(Long.MAX_VALUE);

        assertThat(Readings.cpuSeconds(nobody)).isNaN();
        assertThat(Readings.residentBytes(nobody)).isNaN();
    }
}
