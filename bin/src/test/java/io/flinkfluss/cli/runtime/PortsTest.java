package io.flinkfluss.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {
    @Test
    void aPortInUseIsSeenAndAnotherOneIsFound() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();

            assertThat(Ports.isFree(port)).isFalse();
            assertThat(Ports.freeNear(port)).isNotEqualTo(port);
            assertThatThrownBy(() -> Ports.requireFree(port, "the test", "--port"))
                    .isInstanceOf(CliException.class)
                    .hasMessageContaining("port " + port + " for the test is in use")
                    .hasMessageContaining("--port");
        }
    }

    @Test
    void aFreePortIsTaken() {
        int port = Ports.anyFree();

        assertThat(Ports.freeNear(port)).isEqualTo(port);
    }
}
