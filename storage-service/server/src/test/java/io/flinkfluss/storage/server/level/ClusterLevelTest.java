package io.flinkfluss.storage.server.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ClusterLevelTest {
    private static final String LIMIT = "fluss.test.newest-format-level";
    private final ClusterLevel cluster = new ClusterLevel();

    @AfterEach
    void readAllLevelsAgain() {
        System.clearProperty(LIMIT);
    }

    @Test
    void whatAllNodesReadIsTheLeastThatOneOfThemAnnounced() {
        cluster.announce("n1", 2);
        cluster.announce("n2", 2);
        cluster.announce("gone", 1);
        assertThat(cluster.readByAll(List.of("n1", "n2"))).isEqualTo(2);
        assertThat(cluster.readByAll(List.of("n1", "n2", "silent"))).isEqualTo(1);
        cluster.announce("n2", 1);
        assertThat(cluster.readByAll(List.of("n1", "n2"))).isEqualTo(1);
    }

    @Test
    void whatTheLevelDoesNotIncludeIsRefusedUntilItRises() {
        cluster.announce("n1", 1);
        assertThatThrownBy(() -> cluster.require(FormatLevel.RETENTION, "TrimLog"))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        error -> {
                            assertThat(error.code()).isEqualTo(ErrorCode.NOT_READY);
                            assertThat(error.isRetryable()).isTrue();
                        })
                .hasMessageContaining("TrimLog needs format level 2, the cluster has level 1")
                .hasMessageContaining("{n1=1}")
                .hasMessageContaining("release 0.2");
        cluster.raise(2);
        cluster.require(FormatLevel.RETENTION, "TrimLog");
        cluster.raise(1);
        assertThat(cluster.level()).as("a level never falls").isEqualTo(FormatLevel.RETENTION);
    }

    @Test
    void aNodeThatDoesNotReadTheLevelRefusesToGoOn() {
        WireOutput checkpoint = new WireOutput();
        cluster.announce("n1", 2);
        cluster.raise(2);
        cluster.write(checkpoint);
        System.setProperty(LIMIT, "1");
        assertIncompatible(() -> new ClusterLevel().raise(2));
        assertIncompatible(() -> new ClusterLevel().read(new WireInput(checkpoint.toByteArray())));
        System.clearProperty(LIMIT);
        ClusterLevel read = new ClusterLevel();
        read.read(new WireInput(checkpoint.toByteArray()));
        assertThat(read.level()).isEqualTo(FormatLevel.RETENTION);
        assertThat(read.announced("n1")).isEqualTo(2);
    }

    private static void assertIncompatible(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        error -> assertThat(error.code()).isEqualTo(ErrorCode.INCOMPATIBLE_VERSION))
                .hasMessageContaining(
                        "the cluster has format level 2; this release reads levels 1 to 1")
                .hasMessageContaining("Install release 0.2 or a newer one on this node");
    }
}
