package io.flinkfluss.storage.client.read;

import static io.flinkfluss.storage.client.TestNode.batch;
import static io.flinkfluss.storage.client.TestNode.failure;
import static io.flinkfluss.storage.client.TestNode.get;
import static io.flinkfluss.storage.client.TestNode.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.testkit.TestBatches;
import io.flinkfluss.storage.client.TestNode;
import io.flinkfluss.storage.client.transport.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RemoteReaderTest {
    private static final int BATCHES = 200;

    private static BucketId fill(TestNode node, TableInfo table) throws InterruptedException {
        BucketId bucket = table.buckets().get(0);
        for (int id = 0; id < BATCHES; id++) {
            get(node.service.append(bucket, WriterStamp.NONE, batch(table, id)));
        }
        return bucket;
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void aReadThatBreaksSkipsNothingAndRepeatsNothing(long seed) throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = fill(node, table);
            Random random = new Random(seed);
            node.node.onBatch(
                    sent -> {
                        synchronized (random) {
                            return switch (random.nextInt(20)) {
                                case 0 -> new Fault.BreakBefore();
                                case 1 -> new Fault.BreakAfter();
                                case 2 -> new Fault.Refuse(refusal(ErrorCode.NOT_LEADER));
                                default -> Fault.NONE;
                            };
                        }
                    });
            List<Integer> read =
                    TestNode.ids(
                            table,
                            node.client
                                    .logReader()
                                    .scan(new ScanRequest(bucket, 0, BATCHES, null)));
            assertThat(read)
                    .as("seed %d", seed)
                    .isEqualTo(IntStream.range(0, BATCHES).boxed().toList());
        }
    }

    /**
     * A poll between the choice of the next stream and its opening must not use up its requests.
     */
    @Test
    void anEagerPollerLosesNoRequestWhileStreamsAreRepaired() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = fill(node, table);
            node.node.onBatch(sent -> new Fault.BreakAfter());
            try (Batches<LogBatch> batches =
                    node.client.logReader().scan(new ScanRequest(bucket, 0, BATCHES, null))) {
                long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
                int read = 0;
                while (!batches.isFinished()) {
                    read += batches.poll().map(LogBatch::rowCount).orElse(0);
                    assertThat(System.nanoTime()).as("after %d rows", read).isLessThan(deadline);
                }
                assertThat(read).isEqualTo(BATCHES);
            }
        }
    }

    @Test
    void aFollowingReadGoesOnAfterTheServiceIsStartedAgain() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(0);
            Batches<LogBatch> batches =
                    node.client.logReader().scan(new ScanRequest(bucket, 0, 2, null));
            get(node.service.append(bucket, WriterStamp.NONE, batch(table, 1)));
            assertThat(batches.poll(TestNode.PATIENCE)).isPresent();
            node.node.stop();
            get(node.service.append(bucket, WriterStamp.NONE, batch(table, 2)));
            node.node.start();
            assertThat(TestNode.ids(table, batches)).containsExactly(2);
        }
    }

    @Test
    void anIdleReadOutlivesAnyNumberOfBreaks() throws Exception {
        try (TestNode node = TestNode.start(Duration.ofMillis(1500))) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(0);
            Batches<LogBatch> batches =
                    node.client.logReader().scan(new ScanRequest(bucket, 0, 1, null));
            long begin = System.nanoTime();
            // Longer in sum than one break may last
            while (System.nanoTime() - begin < Duration.ofSeconds(3).toNanos()) {
                int before = node.node.readCount();
                node.node.stop();
                node.node.start();
                node.node.awaitReads(before + 1);
            }
            get(node.service.append(bucket, WriterStamp.NONE, batch(table, 7)));
            assertThat(TestNode.ids(table, batches)).containsExactly(7);
        }
    }

    @Test
    void aServiceThatStaysAwayEndsTheReadWithItsAddress() throws Exception {
        try (TestNode node = TestNode.start(Duration.ofMillis(300))) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(0);
            try (Batches<LogBatch> batches =
                    node.client
                            .logReader()
                            .scan(new ScanRequest(bucket, 0, ScanRequest.UNBOUNDED, null))) {
                node.node.stop();
                StorageException failure =
                        failure(() -> assertThat(batches.poll(TestNode.PATIENCE)).isPresent());
                assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
                assertThat(failure).hasMessageContaining(node.node.address());
            }
        }
    }

    @Test
    void whatCannotBeRepairedIsThrownAfterWhatArrived() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = fill(node, table);
            node.node.onBatch(
                    sent ->
                            sent == 2
                                    ? new Fault.Refuse(refusal(ErrorCode.CORRUPT_DATA))
                                    : Fault.NONE);
            try (Batches<LogBatch> batches =
                    node.client.logReader().scan(new ScanRequest(bucket, 0, BATCHES, null))) {
                assertThat(batches.poll(TestNode.PATIENCE)).isPresent();
                assertThat(batches.poll(TestNode.PATIENCE)).isPresent();
                StorageException failure = failure(() -> batches.poll(TestNode.PATIENCE));
                assertThat(failure.code()).isEqualTo(ErrorCode.CORRUPT_DATA);
                assertThat(batches.isFinished()).isFalse();
            }
        }
    }

    @Test
    void nobodyPollingKeepsTheSenderFromSending() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = fill(node, table);
            CountDownLatch some = new CountDownLatch(1);
            try (Batches<LogBatch> batches =
                    node.client.logReader().scan(new ScanRequest(bucket, 0, BATCHES, null))) {
                batches.onAvailable(some::countDown);
                assertThat(some.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(TestNode.ids(table, batches)).hasSize(BATCHES);
            }
        }
    }

    @Test
    void aSnapshotScanGoesOnAfterTheLastKey() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table("id");
            BucketId bucket = table.buckets().get(0);
            for (int id = 0; id < 50; id++) {
                get(
                        node.service.put(
                                bucket,
                                WriterStamp.NONE,
                                TestBatches.upserts(
                                        table.schema(), GenericRow.of(id, "row " + id))));
            }
            KvSnapshot snapshot = node.client.kvReader().snapshot(table.id());
            node.node.onBatch(sent -> sent % 3 == 1 ? new Fault.BreakAfter() : Fault.NONE);
            List<Integer> ids = new ArrayList<>();
            try (Batches<RowBatch> batches =
                    node.client
                            .kvReader()
                            .scan(
                                    new KvScanRequest(
                                            bucket, snapshot.snapshotId(), new byte[0], null))) {
                while (!batches.isFinished()) {
                    Optional<RowBatch> rows = batches.poll(Duration.ofSeconds(5));
                    rows.ifPresent(
                            each ->
                                    TestBatches.rows(table.schema(), null, each)
                                            .forEach(row -> ids.add(row.intAt(0))));
                }
            }
            assertThat(ids).isEqualTo(IntStream.range(0, 50).boxed().toList());
            node.client.kvReader().release(snapshot);
            assertThat(
                            failure(
                                            () ->
                                                    node.client
                                                            .kvReader()
                                                            .scan(
                                                                    new KvScanRequest(
                                                                            bucket,
                                                                            snapshot.snapshotId(),
                                                                            new byte[0],
                                                                            null))
                                                            .poll(TestNode.PATIENCE))
                                    .code())
                    .isEqualTo(ErrorCode.SNAPSHOT_NOT_FOUND);
        }
    }

    @Test
    void aClosedReadSaysSoAndClosingTheClientClosesReads() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = table.buckets().get(0);
            ScanRequest request = new ScanRequest(bucket, 0, ScanRequest.UNBOUNDED, null);
            Batches<LogBatch> closedByItself = node.client.logReader().scan(request);
            closedByItself.close();
            assertThat(failure(closedByItself::poll).code()).isEqualTo(ErrorCode.CLOSED);
            Batches<LogBatch> closedByClient = node.client.logReader().scan(request);
            node.client.close();
            assertThat(failure(() -> closedByClient.poll(TestNode.PATIENCE)).code())
                    .isEqualTo(ErrorCode.CLOSED);
        }
    }

    /** Field case O-70: what retention removed is an error at once, with both offsets. */
    @Test
    void anOffsetThatIsGoneIsAnErrorAndNotAWait() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            BucketId bucket = fill(node, table);
            StorageException gone =
                    new StorageException(
                            ErrorCode.OFFSET_OUT_OF_RANGE, "offset 10 is gone; it begins at 400");
            node.node.onBatch(sent -> new Fault.Refuse(gone));
            for (ReadFrom from : ReadFrom.values()) {
                ScanRequest request = new ScanRequest(bucket, 10, BATCHES, null).from(from);
                try (Batches<LogBatch> read = node.client.logReader().scan(request)) {
                    StorageException failure = failure(() -> read.poll(TestNode.PATIENCE));
                    assertThat(failure.code()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
                    assertThat(failure).hasMessageContaining("10").hasMessageContaining("400");
                }
            }
        }
    }
}
