package io.flinkfluss.storage.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.testkit.FreePorts;
import io.flinkfluss.storage.client.transport.Fault;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ConnectTest {
    @Test
    void anUnreachableServiceIsNamedWithinTheConnectTimeout() throws Exception {
        String address = "localhost:" + FreePorts.next();
        long begin = System.nanoTime();
        StorageException failure =
                TestNode.failure(() -> FlussClient.connect(ClientConfig.of(address)));
        assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(failure).hasMessageContaining(address).hasMessageContaining("bootstrap");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void aServerThatAcceptsButDoesNotAnswerIsUnreachableToo() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            String address = "localhost:" + silent.getLocalPort();
            ClientConfig config =
                    ClientConfig.of(address).withConnectTimeout(Duration.ofMillis(300));
            StorageException failure = TestNode.failure(() -> FlussClient.connect(config));
            assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
            assertThat(failure).hasMessageContaining(address);
        }
    }

    @Test
    void anyBootstrapServerThatAnswersWillDo() throws Exception {
        try (TestNode node = TestNode.start();
                FlussClient client =
                        FlussClient.connect(
                                ClientConfig.of(
                                        "localhost:"
                                                + FreePorts.next()
                                                + ", "
                                                + node.node.address()))) {
            assertThat(client.admin().databases()).contains("fluss");
        }
    }

    @Test
    void whatIsNotAnAddressIsRefused() {
        for (String address : new String[] {"localhost", ":80", "localhost:x", "localhost:99999"}) {
            StorageException failure =
                    TestNode.failure(() -> FlussClient.connect(ClientConfig.of(address)));
            assertThat(failure.code()).as(address).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(failure).hasMessageContaining(address).hasMessageContaining("host:port");
        }
        assertThat(TestNode.failure(() -> ClientConfig.of(" , ")).code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void anOperationIsRepeatedUntilTheServiceIsReady() throws Exception {
        try (TestNode node = TestNode.start()) {
            node.node.onAction(
                    number ->
                            number < 3
                                    ? new Fault.Refuse(TestNode.refusal(ErrorCode.NOT_READY))
                                    : Fault.NONE);
            assertThat(node.client.admin().databases()).contains("fluss");
        }
    }

    @Test
    void aReadOperationSurvivesABrokenConnection() throws Exception {
        try (TestNode node = TestNode.start()) {
            node.node.onAction(number -> number == 0 ? new Fault.BreakAfter() : Fault.NONE);
            assertThat(node.client.admin().databases()).contains("fluss");
        }
    }

    @Test
    void aChangeWhoseAnswerWasLostHasAnUnknownOutcome() throws Exception {
        try (TestNode node = TestNode.start()) {
            node.node.onAction(number -> number == 0 ? new Fault.BreakAfter() : Fault.NONE);
            StorageException failure =
                    TestNode.failure(
                            () -> node.client.admin().createDatabase("lost", "", Map.of()));
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(failure).hasMessageContaining("may or may not");
            assertThat(node.service.admin().databases()).contains("lost");
        }
    }

    @Test
    void anOperationThatIsNotAnsweredEndsAtTheRequestTimeout() throws Exception {
        try (TestNode node = TestNode.start(Duration.ofMillis(300))) {
            node.node.onAction(number -> new Fault.Hold());
            StorageException failure =
                    TestNode.failure(
                            () -> node.client.admin().table(new TablePath("fluss", "none")));
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(failure).hasMessageContaining(node.node.address());
        }
    }

    @Test
    void aClosedClientSaysSo() throws Exception {
        try (TestNode node = TestNode.start()) {
            node.client.close();
            assertThat(TestNode.failure(() -> node.client.admin().databases()).code())
                    .isEqualTo(ErrorCode.CLOSED);
        }
    }
}
