package io.flinkfluss.storage.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTest {
    @TempDir Path folder;

    @Test
    void aFolderThatDoesNotExistHasNoFiles() throws Exception {
        assertThat(Folders.filesBelow(folder.resolve("absent"))).isEmpty();
    }

    @Test
    void filesAreFoundInOrderWithoutTheFoldersAroundThem() throws Exception {
        Path deep = file("b/c/2");
        Path early = file("b/1");
        Path first = file("a");

        assertThat(Folders.filesBelow(folder)).containsExactly(first, early, deep);
    }

    /** Nodes that share remote storage delete objects while others list them. */
    @Test
    void filesAndFoldersMayVanishWhileTheyAreListed() throws Exception {
        List<Path> lasting = List.of(file("a/lasting"), file("z/lasting"));
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Integer> others =
                CompletableFuture.supplyAsync(
                        () -> {
                            int deleted = 0;
                            while (!ended.get()) {
                                deleted += comeAndGo();
                            }
                            return deleted;
                        });
        try {
            for (int i = 0; i < 2_000; i++) {
                assertThat(Folders.filesBelow(folder)).containsAll(lasting);
            }
        } finally {
            ended.set(true);
        }
        assertThat(others.get(30, TimeUnit.SECONDS)).isPositive();
    }

    private int comeAndGo() {
        try {
            for (int i = 0; i < 20; i++) {
                file("m/" + i + "/passing");
            }
            for (int i = 0; i < 20; i++) {
                Folders.deleteTree(folder.resolve("m/" + i));
            }
            return 20;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "x");
    }
}
