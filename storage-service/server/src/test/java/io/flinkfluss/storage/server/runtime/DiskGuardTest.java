package io.flinkfluss.storage.server.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.StorageException;
import org.junit.jupiter.api.Test;

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

    private void look(long freeBytes) {
        free = freeBytes;
        guard.look();
    }
}
