package io.flinkfluss.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
    @TempDir Path folder;

    @Test
    void aFolderOfSomebodyElseIsNotTaken() throws IOException {
        Files.writeString(folder.resolve("thesis.txt"), "years of work");

        assertThatThrownBy(() -> new StateDirectory(folder).open())
                .isInstanceOf(CliException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("--state-dir");
        assertThatThrownBy(() -> new StateDirectory(folder).clear())
                .isInstanceOf(CliException.class);
        assertThat(folder.resolve("thesis.txt")).exists();
    }

    @Test
    void clearingLeavesAnEmptyStateDirectory() throws IOException {
        StateDirectory state = new StateDirectory(folder).open();
        Files.writeString(state.folder("data").resolve("x"), "x");

        state.clear();

        assertThat(state.data()).doesNotExist();
        assertThat(state.open()).isEqualTo(state);
    }

    @Test
    void resultsOfBenchmarksAreNoHindranceAndAreKept() throws IOException {
        Path result = Files.createDirectories(folder.resolve("bench")).resolve("bench-1.json");
        Files.writeString(result, "{}");

        StateDirectory state = new StateDirectory(folder).open();
        Files.writeString(state.folder("data").resolve("x"), "x");
        state.clear();

        assertThat(state.data()).doesNotExist();
        assertThat(result).hasContent("{}");
    }
}
