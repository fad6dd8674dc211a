package io.flinkfluss.storage.server.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.StorageException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskGuardTest {
    private long free = 500;
    private final DiskGuard guard =
            new DiskGuard(
                    new DiskGuard.Usage() {
                        @Override
                        public long totalBytes() {
                            return 1000;
                        }

                        @Override
                        public long freeBytes() {
                            return free;
                        }
                    },
                    "/data",
                    0.9,
                    50);

    @Test
    void refusesFromTheLimitOnAndAcceptsAgainByItself() {
        look(101);
        assertThatCode(guard::checkWritable).doesNotThrowAnyException();
        look(100);
        assertThatThrownBy(guard::checkWritable)
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("/data has 100 of 1000 bytes free")
                .hasMessageContaining("disk.write-limit-ratio");
        look(400);
        assertThatCode(guard::checkWritable).doesNotThrowAnyException();
    }

    /** File systems keep a part back: counted as used it would refuse writes on an empty disk. */
    @Test
    void whatTheFileSystemKeepsBackIsNotUsed(@TempDir Path folder) throws IOException {
        FileStore store = Files.getFileStore(folder);
        DiskGuard.Usage usage = DiskGuard.of(folder);
        long kept = store.getUnallocatedSpace() - store.getUsableSpace();

        assertThat(usage.totalBytes())
                .isCloseTo(store.getTotalSpace() - kept, Percentage.withPercentage(1));
    }

    private void look(long freeBytes) {
        free = freeBytes;
        guard.look();
    }
}
