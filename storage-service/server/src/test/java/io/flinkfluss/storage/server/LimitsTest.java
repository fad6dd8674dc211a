package io.flinkfluss.storage.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.wire.Ticket;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.AsyncPutListener;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose clients ask for too much. */
final class LimitsTest {
    private static final int MIB = 1 << 20;
    private static final int STALLED = 24;

    @TempDir private Path folder;
    private StorageServer server;
    private StockFlight flight;

    @BeforeEach
    void start() throws InterruptedException {
        server =
                StorageServer.start(
                        "--data-dir",
                        folder.toString(),
                        "--port",
                        "0",
                        "--shards",
                        "1",
                        "-Dbatch.bytes-max=" + 2 * MIB,
                        "-Ddisk.write-limit-ratio=1.0");
        flight = new StockFlight(server.port());
        flight.createTable("events");
    }

    @AfterEach
    void stop() throws InterruptedException {
        flight.close();
        server.close();
    }

    @Test
    void aBatchThatIsTooLargeIsRefusedWithBothSizesAndTheNextOneIsTaken() {
        assertThatThrownBy(() -> append(2 * MIB + MIB / 2))
                .isInstanceOf(FlightRuntimeException.class)
                .hasMessageContaining("at most " + 2 * MIB + " are allowed")
                .hasMessageContaining("batch.bytes-max");
        // What is far too large is not even taken in: gRPC ends the stream.
        assertThatThrownBy(() -> append(8 * MIB)).isInstanceOf(FlightRuntimeException.class);
        append(MIB);
        assertThat(metric("fluss_tabletserver_messagesIn_total")).isEqualTo(1);
    }

    @Test
    void readersThatStopReadingHoldBoundedMemoryAndFreeItWhenTheyLeave() throws Exception {
        for (int i = 0; i < 24; i++) {
            append(MIB);
        }
        double before = metric("jvm_buffer_pool_used_bytes{pool=\"direct\"}");
        var endpoint =
                flight.client
                        .getInfo(FlightDescriptor.path("fluss", "events"))
                        .getEndpoints()
                        .get(0);
        ManagedChannel channel =
                NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
        try {
            for (int i = 0; i < STALLED; i++) {
                readOnce(channel, endpoint.getTicket().getBytes());
            }
            await(() -> metric("fluss_tabletserver_openReaders") == STALLED);
            // What the server would hold if it did not wait for its clients is 24 times 24 MiB.
            double held = metric("jvm_buffer_pool_used_bytes{pool=\"direct\"}") - before;
            assertThat(held).isLessThan(STALLED * 6.0 * MIB);
        } finally {
            channel.shutdownNow();
        }
        await(() -> metric("fluss_tabletserver_openReaders") == 0);
        assertThat(metric("fluss_tabletserver_request_inFlightBytes")).isZero();
        append(MIB);
    }

    /** Begins a read, takes the schema and one batch, and asks for no more. */
    private static void readOnce(ManagedChannel channel, byte[] ticket) throws Exception {
        MethodDescriptor<byte[], byte[]> method =
                MethodDescriptor.<byte[], byte[]>newBuilder()
                        .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                        .setFullMethodName("arrow.flight.protocol.FlightService/DoGet")
                        .setRequestMarshaller(new Bytes())
                        .setResponseMarshaller(new Bytes())
                        .build();
        CountDownLatch received = new CountDownLatch(2);
        ClientCall<byte[], byte[]> call = channel.newCall(method, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(byte[] message) {
                        received.countDown();
                    }
                },
                new Metadata());
        call.request(2);
        call.sendMessage(new Ticket(ByteBuffer.wrap(ticket)).serialize());
        call.halfClose();
        assertThat(received.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Messages as they are. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private void append(int bytes) {
        try (VectorSchemaRoot root = flight.newRoot()) {
            AsyncPutListener listener = new AsyncPutListener();
            var stream =
                    flight.client.startPut(
                            FlightDescriptor.path("fluss", "events", "0"), root, listener);
            ((BigIntVector) root.getVector(0)).setSafe(0, 1);
            ((VarCharVector) root.getVector(1))
                    .setSafe(0, "x".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
            root.setRowCount(1);
            stream.putNext();
            stream.completed();
            stream.getResult();
        }
    }

    private double metric(String series) {
        URI uri =
                URI.create(
                        "http://127.0.0.1:" + server.monitoringPort().orElseThrow() + "/metrics");
        try {
            String metrics =
                    HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(uri)
                                            .timeout(Duration.ofSeconds(20))
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body();
            return metrics.lines()
                    .filter(line -> line.startsWith(series + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                    .findFirst()
                    .orElseThrow();
        } catch (Exception failure) {
            throw new AssertionError("no metrics", failure);
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("did not happen within 30 s");
            }
            Thread.onSpinWait();
        }
    }
}
