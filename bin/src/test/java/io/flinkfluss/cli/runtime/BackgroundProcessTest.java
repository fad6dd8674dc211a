package io.flinkfluss.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackgroundProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir Path folder;
    private StateDirectory state;

    @BeforeEach
    void openState() {
        state = new StateDirectory(folder.resolve("state")).open();
    }

    @Test
    void aStartedProcessIsFoundAgainAndStopped() {
        BackgroundProcess started = start("echo ready on x; exec sleep 60");
        started.awaitReady(Deadline.in(PATIENCE), () -> started.printed("ready on "));

        BackgroundProcess found = BackgroundProcess.find(state, "p").orElseThrow();
        assertThat(found.pid()).isEqualTo(started.pid());
        assertThat(found.fact("port")).isEqualTo("7");

        found.stop();
        assertThat(started.isAlive()).isFalse();
        assertThat(BackgroundProcess.find(state, "p")).isEmpty();
    }

    @Test
    void aProcessThatEndsBeforeItIsReadyIsReportedWithItsLastWords() {
        BackgroundProcess started = start("echo out of luck; exit 3");

        assertThatThrownBy(
                        () ->
                                started.awaitReady(
                                        Deadline.in(PATIENCE), () -> started.printed("ready")))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("p ended before it was ready")
                .hasMessageContaining("out of luck");
        assertThat(BackgroundProcess.find(state, "p")).isEmpty();
    }

    @Test
    void aProcessThatIsNotReadyInTimeIsStopped() {
        BackgroundProcess started = start("exec sleep 60");

        assertThatThrownBy(() -> started.awaitReady(Deadline.in(Duration.ofMillis(1)), () -> false))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("was not ready");
        assertThat(started.isAlive()).isFalse();
    }

    @Test
    void aPidThatBelongsToAnotherProcessNowIsForgotten() {
        BackgroundProcess started = start("exec sleep 60");
        Properties facts = state.recall("p").orElseThrow();
        state.remember("other", Map.of("pid", facts.getProperty("pid"), "started", "12345"));

        assertThat(BackgroundProcess.find(state, "other")).isEmpty();
        assertThat(state.recall("other")).isEmpty();
        assertThat(started.isAlive()).isTrue();
        started.stop();
    }

    private BackgroundProcess start(String script) {
        return BackgroundProcess.start(
                state, "p", List.of("/bin/sh", "-c", script), Map.of(), Map.of("port", "7"));
    }
}
