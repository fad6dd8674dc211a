package io.flinkfluss.verify.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class NetworkTest {
    private static final int NOTHING_COMES_MILLIS = 200;

    private final Network network =
            new Network(new SocketOwners(() -> Map.of("n2", ProcessHandle.current().pid())));
    private ServerSocket echo;
    private volatile boolean alive = true;
    private final int port = Ports.free(InetAddress.getLoopbackAddress().getHostAddress());

    @BeforeEach
    void start() throws IOException {
        echo = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::echo);
        thread.setDaemon(true);
        thread.start();
        network.open(
                "n1",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), echo.getLocalPort()),
                () -> alive);
    }

    @AfterEach
    void stop() throws IOException {
        network.close();
        echo.close();
    }

    @Test
    void bytesPassAndConnectionsAreKnownByTheirProcess() throws IOException {
        try (Socket socket = connect()) {
            assertThat(echoed(socket, 5)).isEqualTo(5);
            network.cut(Network.CLIENTS, "n1");
            assertThat(echoed(socket, 6)).as("this process is n2, not a client").isEqualTo(6);
        }
    }

    @Test
    void aCutStopsBytesOfItsDirectionAndHealingLetsThemGoOn() throws IOException {
        try (Socket socket = connect()) {
            assertThat(echoed(socket, 1)).isEqualTo(1);
            network.cut("n1", "n2");
            assertThat(answer(socket, 2)).as("the way back").isEqualTo(-1);
            network.heal();
            assertThat(socket.getInputStream().read()).isEqualTo(2);

            network.cut("n2", "n1");
            assertThat(answer(socket, 3)).as("the way forth").isEqualTo(-1);
            network.heal();
            assertThat(socket.getInputStream().read()).isEqualTo(3);
        }
    }

    @Test
    void aNewConnectionMeetsTheCutToo() throws IOException {
        network.cut("n1", "n2");
        try (Socket socket = connect()) {
            assertThat(answer(socket, 1)).isEqualTo(-1);
            network.heal();
            assertThat(socket.getInputStream().read()).isEqualTo(1);
        }
    }

    @Test
    void aDelayTakesItsTime() throws IOException {
        network.delay("n2", "n1", Duration.ofMillis(150));
        try (Socket socket = connect()) {
            long begin = System.nanoTime();
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(1);
            assertThat(socket.getInputStream().read()).isEqualTo(1);
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(150));
        }
    }

    @Test
    void aDeadNodeRefusesConnections() throws IOException {
        connect().close();
        alive = false;
        boolean refused = false;
        while (!refused) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(socket.isConnected()).as("not refused yet").isTrue();
            } catch (ConnectException e) {
                refused = true;
            } catch (SocketException e) {
                // It waited to be accepted when listening ended: reset, which is not refused yet.
                assertThat(e).hasMessageContaining("reset");
            }
        }
        alive = true;
        try (Socket socket = connect()) {
            assertThat(echoed(socket, 1)).isEqualTo(1);
        }
    }

    /** Connects as soon as the proxy listens. */
    private Socket connect() throws IOException {
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (ConnectException e) {
                Thread.onSpinWait();
            }
        }
    }

    private static int echoed(Socket socket, int value) throws IOException {
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(value);
        return socket.getInputStream().read();
    }

    /** The byte that comes back soon, -1 when none does. */
    private static int answer(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        socket.setSoTimeout(NOTHING_COMES_MILLIS);
        try {
            return socket.getInputStream().read();
        } catch (SocketTimeoutException e) {
            return -1;
        } finally {
            socket.setSoTimeout(10_000);
        }
    }

    private void echo() {
        while (!echo.isClosed()) {
            try {
                Socket socket = echo.accept();
                Thread thread = new Thread(() -> echo(socket));
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            InputStream input = socket.getInputStream();
            for (int value = input.read(); value >= 0; value = input.read()) {
                socket.getOutputStream().write(value);
            }
        } catch (IOException e) {
            // The test is over.
            return;
        }
    }
}
