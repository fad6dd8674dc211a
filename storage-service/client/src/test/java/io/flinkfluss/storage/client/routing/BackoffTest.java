package io.flinkfluss.storage.client.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BackoffTest {
    @Test
    void triesDoubleTheirPauseUpToALimit() {
        assertThat(Backoff.of(0)).isEqualTo(Duration.ofMillis(10));
        assertThat(Backoff.of(3)).isEqualTo(Duration.ofMillis(80));
        assertThat(Backoff.of(50)).isEqualTo(Duration.ofSeconds(1));
        assertThat(Backoff.untilReached(3)).isEqualTo(Duration.ofMillis(80));
        assertThat(Backoff.untilReached(50)).isEqualTo(Duration.ofMillis(100));
    }

    @ParameterizedTest
    @EnumSource(names = {"BUSY", "DISK_FULL"})
    void whatCostsTheNodeIsARefusal(ErrorCode code) {
        assertThat(Backoff.isRefusal(new StorageException(code, "no"))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_READY", "NOT_LEADER", "TIMEOUT"})
    void aNewLeaderIsAskedAgainSoon(ErrorCode code) {
        assertThat(Backoff.isRefusal(new StorageException(code, "not yet"))).isFalse();
    }
}
