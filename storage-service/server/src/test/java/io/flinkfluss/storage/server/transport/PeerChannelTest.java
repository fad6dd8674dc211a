package io.flinkfluss.storage.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.testkit.FreePorts;
import io.flinkfluss.storage.server.transfer.PeerCheckpoints;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PeerChannelTest {
    /** Connections are taken, and nothing is ever said: as of a node that is deaf or stopped. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.SECONDS)
    void aSilentNodeIsNotWaitedForUntilTheCallsDeadline() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                PeerCheckpoints peer = PeerChannel.connect("127.0.0.1:" + silent.getLocalPort())) {
            assertThatThrownBy(() -> peer.lease("shard-0", 7))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREACHABLE))
                    .hasMessageContaining("127.0.0.1:" + silent.getLocalPort());
        }
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.SECONDS)
    void anErrorIsOneLineThatNamesTheNodeAndTheReason() throws Exception {
        int port = FreePorts.next();
        try (PeerCheckpoints peer = PeerChannel.connect("127.0.0.1:" + port)) {
            assertThatThrownBy(() -> peer.lease("shard-0", 7))
                    .hasMessageContaining("the node at 127.0.0.1:" + port + " did not answer: ")
                    .hasMessageContaining("Connection refused")
                    .message()
                    .doesNotContain("\n");
        }
    }
}
