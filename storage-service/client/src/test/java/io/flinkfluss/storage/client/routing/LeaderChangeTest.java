package io.flinkfluss.storage.client.routing;

import static io.flinkfluss.storage.client.TestNode.batch;
import static io.flinkfluss.storage.client.TestNode.failure;
import static io.flinkfluss.storage.client.TestNode.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.testkit.TestBatches;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.TestNode;
import io.flinkfluss.storage.client.TwoNodes;
import io.flinkfluss.storage.client.transport.FakeNode;
import io.flinkfluss.storage.client.transport.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Leaders that change, sleep, and do not know that they lead no more. */
final class LeaderChangeTest {
    private static final int BATCHES = 40;

    private static List<CompletableFuture<AppendResult>> append(
            TwoNodes nodes, TableInfo table, int from, int to) {
        BucketId bucket = table.buckets().get(0);
        return IntStream.range(from, to)
                .mapToObj(
                        i ->
                                nodes.client
                                        .logAppender()
                                        .append(bucket, new WriterStamp(7, i), batch(table, i)))
                .toList();
    }

    private static void getAll(List<CompletableFuture<AppendResult>> answers)
            throws InterruptedException {
        for (CompletableFuture<AppendResult> answer : answers) {
            get(answer);
        }
    }

    private static void assertStoredOnceInOrder(TwoNodes nodes, TableInfo table)
            throws InterruptedException {
        assertThat(TestNode.stored(nodes.service, table, table.buckets().get(0)))
                .isEqualTo(IntStream.range(0, BATCHES).boxed().toList());
    }

    private static void awaitPuts(FakeNode node, int count) {
        await(() -> node.putCount() >= count);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TestNode.PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void aChangeOfTablesGoesToTheLeaderOfTheMetadataGroup() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            nodes.secondLeads(nodes.first, 2);
            nodes.electSecond();
            nodes.first.leads(false);
            nodes.client.admin().createDatabase("made", "", Map.of());
            nodes.client.admin().createDatabase("again", "", Map.of());
            assertThat(nodes.first.refusedCount()).as("refused by the first node").isEqualTo(1);
        }
    }

    @Test
    void writesFollowALeaderThatSaysItIsNone() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table();
            getAll(append(nodes, table, 0, 10));
            nodes.first.leads(false);
            nodes.electSecond();
            getAll(append(nodes, table, 10, BATCHES));
            assertStoredOnceInOrder(nodes, table);
        }
    }

    @Test
    void writesToALeaderThatSleepsAreSentAgainToTheNewOneWithTheSameStamps() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table();
            // Given some that were stored, of which the client does not know
            nodes.first.onPut(put -> put < 5 ? Fault.NONE : new Fault.StoreSilently());
            List<CompletableFuture<AppendResult>> answers =
                    new ArrayList<>(append(nodes, table, 0, 10));
            awaitPuts(nodes.first, 10);
            nodes.first.sleep();
            answers.addAll(append(nodes, table, 10, BATCHES));
            // When the other node takes over
            nodes.electSecond();
            // Then it gets them, and stores those that are new
            getAll(answers);
            assertStoredOnceInOrder(nodes, table);
            assertThat(nodes.second.putCount()).isGreaterThanOrEqualTo(BATCHES - 5);
            // Nor does the sleeper, who still believes to lead, store any a second time.
            nodes.first.wake();
            nodes.first.awaitHandled();
            assertStoredOnceInOrder(nodes, table);
        }
    }

    @Test
    void aWriteWithoutAStampThatTheSleeperMayHaveStoredIsNotSentAgain() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table();
            BucketId bucket = table.buckets().get(0);
            getAll(append(nodes, table, 0, 1));
            nodes.first.sleep();
            CompletableFuture<AppendResult> answer =
                    nodes.client.logAppender().append(bucket, WriterStamp.NONE, batch(table, 1));
            nodes.electSecond();
            assertThat(failure(() -> get(answer)).code()).isEqualTo(ErrorCode.TIMEOUT);
            assertThat(nodes.second.putCount()).isZero();
        }
    }

    @Test
    void aSleeperThatStillLeadsIsWaitedFor() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table();
            getAll(append(nodes, table, 0, 1));
            nodes.first.sleep();
            List<CompletableFuture<AppendResult>> answers = append(nodes, table, 1, BATCHES);
            // Long enough for its connection to be opened anew
            int connections = nodes.first.connectionCount();
            await(() -> nodes.first.connectionCount() > connections);
            nodes.first.wake();
            getAll(answers);
            assertStoredOnceInOrder(nodes, table);
            assertThat(nodes.second.putCount()).isZero();
        }
    }

    @Test
    void lookupsLeaveALeaderThatSleeps() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table("id");
            BucketId bucket = table.buckets().get(0);
            get(
                    nodes.service.put(
                            bucket,
                            WriterStamp.NONE,
                            TestBatches.upserts(table.schema(), GenericRow.of(1, "one"))));
            List<byte[]> key = List.of(TestBatches.key(table.schema(), GenericRow.of(1, "")));
            assertThat(get(nodes.client.kvReader().lookup(bucket, key)).get(0)).isPresent();
            nodes.first.sleep();
            CompletableFuture<List<Optional<EncodedRow>>> answer =
                    nodes.client.kvReader().lookup(bucket, key);
            nodes.electSecond();
            assertThat(get(answer).get(0)).isPresent();
            assertThat(nodes.second.lookupCount()).isPositive();
        }
    }

    @Test
    void aReadGoesOnWhereItWasAtTheNewLeader() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table();
            BucketId bucket = table.buckets().get(0);
            getAll(append(nodes, table, 0, 20));
            Batches<LogBatch> read =
                    nodes.client.logReader().scan(new ScanRequest(bucket, 0, BATCHES, null));
            nodes.first.awaitReads(1);
            nodes.first.sleep();
            nodes.electSecond();
            getAll(append(nodes, table, 20, BATCHES));
            assertThat(TestNode.ids(table, read))
                    .isEqualTo(IntStream.range(0, BATCHES).boxed().toList());
            assertThat(nodes.second.readCount()).isPositive();
        }
    }

    @Test
    void aSleepingNodeDoesNotKeepAClientFromConnecting() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            nodes.first.sleep();
            nodes.electSecond();
            ClientConfig config =
                    ClientConfig.of(nodes.first.address() + "," + nodes.second.address())
                            .withSilence(TwoNodes.SILENCE);
            try (FlussClient other = FlussClient.connect(config)) {
                assertThat(other.admin().databases()).contains("fluss");
            }
        }
    }

    @Test
    void anOperationThatMayBeRepeatedLeavesASleepingNode() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            nodes.first.sleep();
            nodes.electSecond();
            assertThat(nodes.client.admin().databases()).contains("fluss");
        }
    }

    @Test
    void whatADeposedLeaderSaysDoesNotReplaceWhatIsNewer() throws Exception {
        try (TwoNodes nodes = TwoNodes.start()) {
            TableInfo table = nodes.table();
            nodes.electSecond();
            nodes.first.leads(false);
            getAll(append(nodes, table, 0, 10));
            // Given that the first node still says that it leads, and is asked again and again
            int before = nodes.first.putCount();
            int asked = nodes.first.actionCount();
            Fault busy = new Fault.Refuse(TestNode.refusal(ErrorCode.BUSY));
            nodes.second.onPut(put -> put < 20 && put % 4 == 3 ? busy : Fault.NONE);
            getAll(append(nodes, table, 10, BATCHES));
            assertThat(nodes.first.actionCount()).as("questions").isGreaterThan(asked);
            assertThat(nodes.first.putCount()).as("writes to the deposed leader").isEqualTo(before);
            assertStoredOnceInOrder(nodes, table);
        }
    }
}
