package io.flinkfluss.storage.client.write;

import static io.flinkfluss.storage.client.TestNode.batch;
import static io.flinkfluss.storage.client.TestNode.failure;
import static io.flinkfluss.storage.client.TestNode.get;
import static io.flinkfluss.storage.client.TestNode.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.testkit.TestBatches;
import io.flinkfluss.storage.client.TestNode;
import io.flinkfluss.storage.client.transport.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PutDispatcherTest {
    private static final int BATCHES = 40;

    private static List<CompletableFuture<AppendResult>> appendAll(
            TestNode node, TableInfo table, BucketId bucket) {
        long writerId = node.client.logAppender().newWriterId();
        List<CompletableFuture<AppendResult>> answers = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
            answers.add(
                    node.client
                            .logAppender()
                            .append(bucket, new WriterStamp(writerId, i), batch(table, i)));
        }
        return answers;
    }

    private static void assertStoredOnceInOrder(
            TestNode node, TableInfo table, BucketId bucket, IntFunction<Fault> faults)
            throws InterruptedException {
        node.node.onPut(faults);
        for (CompletableFuture<AppendResult> answer : appendAll(node, table, bucket)) {
            get(answer);
        }
        assertThat(node.stored(table, bucket))
                .isEqualTo(IntStream.range(0, BATCHES).boxed().toList());
    }

    @Test
    void aLostAcknowledgementIsAskedForAgainWithoutStoringTwice() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(0);
            assertStoredOnceInOrder(
                    node, table, bucket, put -> put == 7 ? new Fault.BreakAfter() : Fault.NONE);
        }
    }

    @Test
    void batchesThatABrokenConnectionSwallowedAreSentAgainInOrder() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(0);
            assertStoredOnceInOrder(
                    node, table, bucket, put -> put == 3 ? new Fault.BreakBefore() : Fault.NONE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOT_LEADER", "BUSY", "DISK_FULL", "NOT_READY"})
    void aRefusalThatMayPassKeepsTheOrder(String code) throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(1);
            Fault refusal = new Fault.Refuse(refusal(ErrorCode.valueOf(code)));
            assertStoredOnceInOrder(
                    node,
                    table,
                    bucket,
                    put -> put == 5 || put == 6 || put == 30 ? refusal : Fault.NONE);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anyMixOfFaultsStoresEachBatchOnceInOrder(long seed) throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            Random random = new Random(seed);
            node.node.onPut(put -> randomFault(random));
            List<CompletableFuture<AppendResult>> answers = new ArrayList<>();
            for (BucketId bucket : table.buckets()) {
                answers.addAll(appendAll(node, table, bucket));
            }
            for (CompletableFuture<AppendResult> answer : answers) {
                get(answer);
            }
            for (BucketId bucket : table.buckets()) {
                assertThat(node.stored(table, bucket))
                        .as("seed %d", seed)
                        .isEqualTo(IntStream.range(0, BATCHES).boxed().toList());
            }
        }
    }

    private static synchronized Fault randomFault(Random random) {
        return switch (random.nextInt(40)) {
            case 0 -> new Fault.BreakAfter();
            case 1 -> new Fault.BreakBefore();
            case 2 -> new Fault.Refuse(refusal(ErrorCode.BUSY));
            case 3 -> new Fault.Refuse(refusal(ErrorCode.TIMEOUT));
            default -> Fault.NONE;
        };
    }

    @Test
    void writesGoOnWhenTheServiceIsStartedAgain() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(0);
            node.node.onPut(put -> put < 10 ? Fault.NONE : new Fault.Hold());
            List<CompletableFuture<AppendResult>> answers = appendAll(node, table, bucket);
            get(answers.get(9));
            node.node.stop();
            node.node.onPut(put -> Fault.NONE);
            node.node.start();
            for (CompletableFuture<AppendResult> answer : answers) {
                get(answer);
            }
            assertThat(node.stored(table, bucket))
                    .isEqualTo(IntStream.range(0, BATCHES).boxed().toList());
        }
    }

    @Test
    void aBatchWithoutAStampIsNotSentTwice() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(0);
            node.node.onPut(put -> put == 0 ? new Fault.BreakAfter() : Fault.NONE);
            StorageException failure =
                    failure(
                            () ->
                                    get(
                                            node.client
                                                    .logAppender()
                                                    .append(
                                                            bucket,
                                                            WriterStamp.NONE,
                                                            batch(table, 1))));
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(failure).hasMessageContaining("may or may not be stored");
            assertThat(node.stored(table, bucket)).containsExactly(1);
        }
    }

    @Test
    void aServiceThatStaysAwayIsNamedAtTheDeliveryTimeout() throws Exception {
        try (TestNode node = TestNode.start(Duration.ofMillis(500))) {
            TableInfo table = node.table();
            node.node.stop();
            StorageException failure =
                    failure(
                            () ->
                                    get(
                                            node.client
                                                    .logAppender()
                                                    .append(
                                                            table.buckets().get(0),
                                                            new WriterStamp(1, 0),
                                                            batch(table, 1))));
            // TIMEOUT when it left on the connection that was just breaking
            assertThat(failure.code()).isIn(ErrorCode.UNREACHABLE, ErrorCode.TIMEOUT);
            assertThat(failure).hasMessageContaining(node.node.address());
        }
    }

    @Test
    void aBatchThatIsNeverAnsweredHasAnUnknownOutcome() throws Exception {
        try (TestNode node = TestNode.start(Duration.ofMillis(300))) {
            TableInfo table = node.table();
            node.node.onPut(put -> new Fault.Hold());
            StorageException failure =
                    failure(
                            () ->
                                    get(
                                            node.client
                                                    .logAppender()
                                                    .append(
                                                            table.buckets().get(0),
                                                            new WriterStamp(1, 0),
                                                            batch(table, 1))));
            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        }
    }

    @Test
    void closingFailsWhatIsOutstanding() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            node.node.onPut(put -> new Fault.Hold());
            CompletableFuture<AppendResult> answer =
                    node.client
                            .logAppender()
                            .append(table.buckets().get(0), WriterStamp.NONE, batch(table, 1));
            node.client.close();
            assertThat(failure(() -> get(answer)).code()).isEqualTo(ErrorCode.CLOSED);
        }
    }

    @Test
    void aBatchAboveTheLimitIsRefusedWithoutDisturbingOthers() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(0);
            CompletableFuture<AppendResult> small =
                    node.client
                            .logAppender()
                            .append(bucket, new WriterStamp(7, 0), batch(table, 1));
            // Compression does not make it small.
            String noise =
                    new Random(5)
                            .ints(12 << 20, 'a', 'z')
                            .collect(
                                    StringBuilder::new,
                                    StringBuilder::appendCodePoint,
                                    StringBuilder::append)
                            .toString();
            GenericRow row = GenericRow.of(2, noise + noise);
            StorageException failure =
                    failure(
                            () ->
                                    get(
                                            node.client
                                                    .logAppender()
                                                    .append(
                                                            bucket,
                                                            WriterStamp.NONE,
                                                            TestBatches.arrow(
                                                                    table.schema(), row))));
            assertThat(failure.code()).isEqualTo(ErrorCode.RECORD_TOO_LARGE);
            assertThat(failure)
                    .hasMessageContaining("at most " + node.service.largestBatch())
                    .hasMessageContaining("batch.bytes-max");
            get(small);
            assertThat(node.node.putCount()).isEqualTo(1);
        }
    }

    /** Field case O-18: the connection stays, only one answer is missing. */
    @Test
    void aLostAnswerAmongOthersIsAskedForAgain() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(0);
            assertStoredOnceInOrder(
                    node, table, bucket, put -> put == 7 ? new Fault.StoreSilently() : Fault.NONE);
            assertThat(node.node.putCount()).as("sent without need").isLessThan(2 * BATCHES);
        }
    }
}
