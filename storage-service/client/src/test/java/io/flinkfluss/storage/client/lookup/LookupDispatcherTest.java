package io.flinkfluss.storage.client.lookup;

import static io.flinkfluss.storage.client.TestNode.failure;
import static io.flinkfluss.storage.client.TestNode.get;
import static io.flinkfluss.storage.client.TestNode.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.testkit.TestBatches;
import io.flinkfluss.storage.client.TestNode;
import io.flinkfluss.storage.client.TwoNodes;
import io.flinkfluss.storage.client.transport.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LookupDispatcherTest {
    private static final int ROWS = 100;

    private static BucketId fill(TestNode node, TableInfo table) throws InterruptedException {
        BucketId bucket = table.buckets().get(0);
        GenericRow[] rows = new GenericRow[ROWS];
        for (int id = 0; id < ROWS; id++) {
            rows[id] = GenericRow.of(id, "row " + id);
        }
        get(node.service.put(bucket, WriterStamp.NONE, TestBatches.upserts(table.schema(), rows)));
        return bucket;
    }

    private static CompletableFuture<List<Optional<EncodedRow>>> lookup(
            TestNode node, TableInfo table, BucketId bucket, int id) {
        return node.client
                .kvReader()
                .lookup(bucket, List.of(TestBatches.key(table.schema(), GenericRow.of(id, ""))));
    }

    private static String text(TableInfo table, List<Optional<EncodedRow>> answer) {
        assertThat(answer).hasSize(1);
        return (String)
                TestBatches.row(table.schema(), answer.get(0).orElseThrow().bytes()).valueAt(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33})
    void everyLookupGetsItsOwnAnswerWhateverBreaks(long seed) throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table("id");
            BucketId bucket = fill(node, table);
            Random random = new Random(seed);
            node.node.onLookup(
                    message -> {
                        synchronized (random) {
                            return switch (random.nextInt(10)) {
                                case 0 -> new Fault.BreakBefore();
                                case 1 -> new Fault.Refuse(refusal(ErrorCode.NOT_LEADER));
                                case 2 -> new Fault.Refuse(refusal(ErrorCode.BUSY));
                                default -> Fault.NONE;
                            };
                        }
                    });
            for (int round = 0; round < 20; round++) {
                List<CompletableFuture<List<Optional<EncodedRow>>>> answers = new ArrayList<>();
                for (int id = 0; id < ROWS; id++) {
                    answers.add(lookup(node, table, bucket, id));
                }
                for (int id = 0; id < ROWS; id++) {
                    assertThat(text(table, get(answers.get(id))))
                            .as("seed %d", seed)
                            .isEqualTo("row " + id);
                }
            }
        }
    }

    @Test
    void lookupsThatWaitTravelTogether() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table("id");
            BucketId bucket = fill(node, table);
            CountDownLatch gate = new CountDownLatch(1);
            node.node.onLookup(
                    message -> {
                        awaitUninterrupted(gate);
                        return Fault.NONE;
                    });
            List<CompletableFuture<List<Optional<EncodedRow>>>> answers = new ArrayList<>();
            for (int id = 0; id < ROWS; id++) {
                answers.add(lookup(node, table, bucket, id));
            }
            gate.countDown();
            for (CompletableFuture<List<Optional<EncodedRow>>> answer : answers) {
                get(answer);
            }
            assertThat(node.node.lookupCount()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void aLookupThatFailsForGoodFailsNoOtherThatTravelledWithIt() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table("id");
            BucketId bucket = fill(node, table);
            // From here on the client knows the way.
            assertThat(text(table, get(lookup(node, table, bucket, 0)))).isEqualTo("row 0");
            CountDownLatch gate = new CountDownLatch(1);
            // The first travels by itself, the other nine together, then each of them alone.
            node.node.onLookup(
                    message -> {
                        awaitUninterrupted(gate);
                        return message == 1 || message == 5
                                ? new Fault.Refuse(refusal(ErrorCode.RECORD_TOO_LARGE))
                                : Fault.NONE;
                    });
            List<CompletableFuture<List<Optional<EncodedRow>>>> answers = new ArrayList<>();
            for (int id = 0; id < 10; id++) {
                answers.add(lookup(node, table, bucket, id));
            }
            gate.countDown();

            for (int id = 0; id < 10; id++) {
                CompletableFuture<List<Optional<EncodedRow>>> answer = answers.get(id);
                if (id == 4) {
                    assertThat(failure(() -> get(answer)).code())
                            .isEqualTo(ErrorCode.RECORD_TOO_LARGE);
                } else {
                    assertThat(text(table, get(answer))).isEqualTo("row " + id);
                }
            }
            assertThat(node.node.lookupCount()).isEqualTo(11);
        }
    }

    @Test
    void aBucketThatIsNotAnsweredDoesNotHoldUpAnother() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table("id");
            BucketId bucket = fill(node, table);
            BucketId silent = table.buckets().get(1);
            node.node.onLookup(message -> message == 0 ? new Fault.Hold() : Fault.NONE);
            CompletableFuture<List<Optional<EncodedRow>>> held = lookup(node, table, silent, 1);
            for (int id = 0; id < 10; id++) {
                assertThat(text(table, get(lookup(node, table, bucket, id))))
                        .isEqualTo("row " + id);
            }
            assertThat(held).isNotDone();
        }
    }

    private static void awaitUninterrupted(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLookupThatIsNotAnsweredEndsAtTheRequestTimeout() throws Exception {
        try (TestNode node = TestNode.start(Duration.ofMillis(300))) {
            TableInfo table = node.table("id");
            BucketId bucket = fill(node, table);
            node.node.onLookup(message -> new Fault.Hold());
            assertThat(failure(() -> get(lookup(node, table, bucket, 1))).code())
                    .isEqualTo(ErrorCode.TIMEOUT);
        }
    }

    @Test
    void aServiceThatStaysAwayIsNamed() throws Exception {
        try (TestNode node = TestNode.start(Duration.ofMillis(300))) {
            TableInfo table = node.table("id");
            BucketId bucket = fill(node, table);
            node.node.stop();
            assertThat(failure(() -> get(lookup(node, table, bucket, 1))))
                    .hasMessageContaining(node.node.address())
                    .satisfies(error -> assertThat(error.code()).isEqualTo(ErrorCode.UNREACHABLE));
        }
    }

    @Test
    void closingFailsWhatIsOutstanding() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table("id");
            BucketId bucket = fill(node, table);
            node.node.onLookup(message -> new Fault.Hold());
            CompletableFuture<List<Optional<EncodedRow>>> answer = lookup(node, table, bucket, 1);
            node.client.close();
            assertThat(failure(() -> get(answer)).code()).isEqualTo(ErrorCode.CLOSED);
        }
    }

    /** Field case O-60: many threads share one client, and each gets the row of its own key. */
    @Test
    void threadsThatShareAClientGetTheRowsTheyAskedFor() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table("id");
            BucketId bucket = fill(node, table);
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int thread = 0; thread < 16; thread++) {
                Random random = new Random(thread);
                threads.add(
                        CompletableFuture.runAsync(
                                () -> {
                                    for (int i = 0; i < 500; i++) {
                                        int id = random.nextInt(ROWS);
                                        assertThat(
                                                        text(
                                                                table,
                                                                lookup(node, table, bucket, id)
                                                                        .join()))
                                                .isEqualTo("row " + id);
                                    }
                                },
                                task -> new Thread(task).start()));
            }
            for (CompletableFuture<Void> thread : threads) {
                get(thread);
            }
        }
    }

    /** Field case O-61: a lookup that comes before its bucket has a leader waits for one. */
    @Test
    void aLookupWaitsForALeader() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table("id");
            nodes.noLeader();
            nodes.first.leads(false);
            List<byte[]> key = List.of(TestBatches.key(table.schema(), GenericRow.of(1, "")));
            CompletableFuture<List<Optional<EncodedRow>>> answer =
                    nodes.client.kvReader().lookup(table.buckets().get(0), key);
            nodes.first.awaitActions(5);
            assertThat(answer).isNotDone();
            nodes.electSecond();
            assertThat(get(answer)).containsExactly(Optional.empty());
        }
    }
}
