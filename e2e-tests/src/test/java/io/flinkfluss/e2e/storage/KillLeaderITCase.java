package io.flinkfluss.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.StorageCluster;
import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.TestBatches;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.LookupRequest;
import io.flinkfluss.storage.api.wire.LookupResponse;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.transport.CallFailure;
import io.flinkfluss.storage.client.transport.MessageStream;
import io.flinkfluss.storage.client.transport.StreamListener;
import io.flinkfluss.storage.client.write.TableWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three storage processes of which the leader is killed, or sleeps and wakes up. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class KillLeaderITCase {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ROWS_PER_ROUND = 500;
    private static final int KILLS = 3;
    private static final int LOOKUPS = 50;

    @TempDir private Path folder;
    private StorageCluster cluster;
    private FlussClient client;

    @BeforeEach
    void start() {
        cluster = StorageCluster.start(folder, 3);
        client = FlussClient.connect(ClientConfig.of(cluster.addresses()));
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void aWriterGoesOnWhenTheLeaderIsKilledAndEveryRowIsThereOnce() throws Exception {
        TableInfo table = createTable(List.of());
        int id = 0;
        try (TableWriter writer = client.writer(table)) {
            for (int kill = 0; kill < KILLS; kill++) {
                for (int i = 0; i < ROWS_PER_ROUND; i++) {
                    writer.append(GenericRow.of(id++, "before"));
                    if (i % 50 == 49) {
                        writer.flush();
                    }
                }
                // When the leader is killed while rows are on their way
                writer.append(GenericRow.of(id++, "on its way"));
                String leader = leader(table);
                long killed = System.nanoTime();
                cluster.node(leader).kill();
                writer.append(GenericRow.of(id++, "after"));
                writer.flush();
                System.out.printf(
                        "leader %s was killed; the next acknowledgement came after %d ms%n",
                        leader, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed));
                cluster.node(leader).start();
            }
        }

        // Then a reader sees each acknowledged row exactly once
        List<Integer> expected = IntStream.range(0, id).boxed().toList();
        assertThat(read(table).stream().sorted().toList()).isEqualTo(expected);
    }

    @Test
    void aLeaderThatSleptDoesNotAnswerWithOldValues() throws Exception {
        TableInfo table = createTable(List.of("id"));
        BucketId bucket = table.buckets().get(0);
        upsert(table, "old");
        StorageProcess sleeper = cluster.node(leader(table));
        try (Lookups lookups = new Lookups(sleeper, table, bucket)) {
            assertThat(lookups.ask(0).texts()).containsExactly("old");

            // When the leader sleeps, another takes over and the value changes
            sleeper.pause();
            upsert(table, "new");

            // Then what waits at the sleeper's door is not answered with the old value
            for (int i = 1; i <= LOOKUPS; i++) {
                lookups.send(i);
            }
            sleeper.resume();
            for (int i = 1; i <= LOOKUPS; i++) {
                lookups.send(LOOKUPS + i);
            }
            for (int i = 1; i <= 2 * LOOKUPS; i++) {
                Answer answer = lookups.take();
                assertThat(answer.refusal().isPresent() || answer.texts().equals(List.of("new")))
                        .as("lookup %d: %s", i, answer)
                        .isTrue();
                answer.refusal()
                        .ifPresent(
                                code ->
                                        assertThat(code)
                                                .isIn(ErrorCode.NOT_LEADER, ErrorCode.NOT_READY));
            }
        }
    }

    private TableInfo createTable(List<String> primaryKey) {
        Schema schema =
                new Schema(
                        1,
                        List.of(
                                Column.of(0, "id", DataType.of(TypeRoot.INT).notNull()),
                                Column.of(1, "text", DataType.of(TypeRoot.STRING))),
                        primaryKey);
        TableDescriptor descriptor =
                new TableDescriptor(schema, List.of(), List.of("id"), 1, Map.of(), Map.of(), "");
        return client.admin().createTable(new TablePath("fluss", "killed"), descriptor);
    }

    private void upsert(TableInfo table, String text) throws InterruptedException {
        try (TableWriter writer = client.writer(table)) {
            writer.upsert(GenericRow.of(1, text));
            writer.flush();
        }
    }

    private String leader(TableInfo table) {
        return cluster.view().leadership(table.buckets().get(0)).leader();
    }

    private List<Integer> read(TableInfo table) throws InterruptedException {
        List<Integer> ids = new ArrayList<>();
        for (BucketId bucket : table.buckets()) {
            long end =
                    client.logReader()
                            .offsets(List.of(bucket), new OffsetSpec.Latest())
                            .get(bucket);
            try (Batches<LogBatch> reader =
                    client.logReader().scan(new ScanRequest(bucket, 0, end, null))) {
                while (!reader.isFinished()) {
                    Optional<LogBatch> batch = reader.poll(PATIENCE);
                    batch.ifPresent(
                            rows ->
                                    TestBatches.rows(table.schema(), null, rows)
                                            .forEach(row -> ids.add(row.intAt(0))));
                }
            }
        }
        return ids;
    }

    /** What a node answered. */
    private record Answer(List<String> texts, Optional<ErrorCode> refusal) {}

    /** Looks row 1 up at one node, whether it leads or not. */
    private final class Lookups implements StreamListener<FlightFrame>, AutoCloseable {
        private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        private final TableInfo table;
        private final BucketId bucket;
        private final MessageStream<FlightFrame> stream;

        Lookups(StorageProcess node, TableInfo table, BucketId bucket) {
            this.table = table;
            this.bucket = bucket;
            stream = cluster.channel(node).exchange(this);
            stream.request(1_000);
        }

        void send(long requestId) {
            byte[] key = new KeyCodec(table.schema(), new int[] {0}).encode(GenericRow.of(1, ""));
            stream.send(
                    FlightFrame.ofMetadata(
                            new LookupRequest(
                                            requestId,
                                            bucket,
                                            LookupRequest.Kind.KEYS,
                                            List.of(key))
                                    .encode()));
        }

        Answer take() throws InterruptedException {
            Answer answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(answer).as("an answer within %s", PATIENCE).isNotNull();
            return answer;
        }

        Answer ask(long requestId) throws InterruptedException {
            send(requestId);
            return take();
        }

        @Override
        public void onMessage(FlightFrame message) {
            LookupResponse response = LookupResponse.decode(message.appMetadata());
            RowCodec codec = new RowCodec(table.schema());
            List<String> texts =
                    response.rows().stream()
                            .flatMap(List::stream)
                            .map(
                                    row ->
                                            new String(
                                                    codec.decode(row.bytes()).bytesAt(1),
                                                    StandardCharsets.UTF_8))
                            .toList();
            answers.add(
                    new Answer(texts, response.error().map(error -> ErrorCode.of(error.code()))));
        }

        @Override
        public void onClosed(Optional<CallFailure> failure) {}

        @Override
        public void close() {
            stream.cancel("the test is over");
        }
    }
}
