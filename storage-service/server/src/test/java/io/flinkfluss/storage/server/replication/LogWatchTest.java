package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogWatchTest {
    private final List<String> faults = new ArrayList<>();
    private final FakeLog log = new FakeLog();
    private final LogWatch watch =
            new LogWatch("shard-0", log, 3, (what, cause) -> faults.add(what));

    @Test
    void anIdleLogIsFine() {
        log.written = 7;
        log.flushed = 7;
        look(10);
        assertThat(faults).isEmpty();
    }

    @Test
    void aLogThatGrowsOnDiskIsFineHoweverFarItIsBehind() {
        for (int i = 0; i < 10; i++) {
            log.written = 100;
            log.flushed = i;
            look(2);
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void entriesThatNeverReachTheDiskAreAFault() {
        log.written = 8;
        log.flushed = 7;
        look(3);
        assertThat(faults).as("it may be a slow disk").isEmpty();
        look(1);
        assertThat(faults).singleElement().asString().contains("shard-0", "8", "7", "disk");
    }

    @Test
    void aReplicaThatAnErrorClosedIsAFault() {
        log.open = false;
        look(1);
        assertThat(faults).singleElement().asString().contains("shard-0", "closed");
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            watch.look();
        }
    }

    private static final class FakeLog implements LogWatch.Log {
        private boolean open = true;
        private long written = -1;
        private long flushed = -1;

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public long written() {
            return written;
        }

        @Override
        public long flushed() {
            return flushed;
        }
    }
}
