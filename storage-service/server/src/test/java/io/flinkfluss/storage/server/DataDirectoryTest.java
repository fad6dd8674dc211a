package io.flinkfluss.storage.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    @TempDir Path folder;

    @Test
    void keepsTheNumberOfShardsItWasMadeWith() {
        open(OptionalInt.of(3)).close();

        try (DataDirectory again = open(OptionalInt.empty())) {
            assertThat(again.shards()).isEqualTo(3);
        }
        refused(OptionalInt.of(4), ErrorCode.INVALID_REQUEST, "created with 3 shards");
    }

    @Test
    void belongsToOneProcess() {
        try (DataDirectory first = open(OptionalInt.empty())) {
            assertThat(first.shards()).isEqualTo(2);
            refused(OptionalInt.empty(), ErrorCode.DATA_DIRECTORY_IN_USE, folder.toString());
        }
        open(OptionalInt.empty()).close();
    }

    @Test
    void anotherFormatIsNamed() throws Exception {
        open(OptionalInt.empty()).close();
        Files.writeString(folder.resolve("VERSION"), "format=7\nshards=2\n");

        refused(
                OptionalInt.empty(),
                ErrorCode.INCOMPATIBLE_VERSION,
                "has format level 7; this release reads levels 1 to");
    }

    @Test
    void aFolderOfSomebodyElseIsLeftAlone() throws Exception {
        Files.writeString(folder.resolve("thesis.txt"), "do not touch");

        refused(OptionalInt.empty(), ErrorCode.INCOMPATIBLE_VERSION, "thesis.txt");
        assertThat(folder.resolve("VERSION")).doesNotExist();
    }

    private DataDirectory open(OptionalInt shards) {
        return DataDirectory.open(folder, shards, 2);
    }

    private void refused(OptionalInt shards, ErrorCode code, String message) {
        assertThatThrownBy(() -> open(shards))
                .isInstanceOfSatisfying(
                        StorageException.class, error -> assertThat(error.code()).isEqualTo(code))
                .hasMessageContaining(message);
    }
}
