package io.flinkfluss.storage.client.write;

import static io.flinkfluss.storage.client.TestNode.failure;
import static io.flinkfluss.storage.client.TestNode.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.TestNode;
import io.flinkfluss.storage.client.transport.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TableWriterTest {
    private static final int ROWS = 20_000;

    private static List<Integer> allStored(TestNode node, TableInfo table)
            throws InterruptedException {
        List<Integer> ids = new ArrayList<>();
        for (BucketId bucket : table.buckets()) {
            List<Integer> ofBucket = node.stored(table, bucket);
            assertThat(ofBucket).as("order within a bucket").isSorted();
            ids.addAll(ofBucket);
        }
        Collections.sort(ids);
        return ids;
    }

    @Test
    void rowsThatWaitTravelTogether() throws Exception {
        try (TestNode node = TestNode.start();
                TableWriter writer = node.client.writer(node.table())) {
            // Given a first row whose acknowledgement takes as long as the test wants
            CountDownLatch gate = new CountDownLatch(1);
            node.node.onPut(put -> waitAtFirst(put, gate));
            // When more rows are written meanwhile
            for (int id = 0; id < 100; id++) {
                writer.append(GenericRow.of(id, "row"));
            }
            gate.countDown();
            writer.flush();
            // Then they leave as one batch
            assertThat(node.node.putCount()).isEqualTo(2);
            assertThat(writer.bytesWritten()).isPositive();
            assertThat(writer.bytesWaiting()).isZero();
        }
    }

    private static Fault waitAtFirst(int put, CountDownLatch gate) {
        if (put == 0) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return Fault.NONE;
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void everyRowIsStoredOnceInOrderWhateverBreaks(long seed) throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            Random random = new Random(seed);
            node.node.onPut(
                    put -> {
                        synchronized (random) {
                            return random.nextInt(8) == 0 ? new Fault.BreakAfter() : Fault.NONE;
                        }
                    });
            try (TableWriter writer = node.client.writer(table)) {
                for (int id = 0; id < ROWS; id++) {
                    writer.append(GenericRow.of(id, "row " + id));
                    if (id % 2_000 == 0) {
                        writer.flush();
                    }
                }
                writer.flush();
            }
            assertThat(allStored(node, table))
                    .as("seed %d", seed)
                    .isEqualTo(IntStream.range(0, ROWS).boxed().toList());
        }
    }

    @Test
    void littleMemoryBlocksTheCallerInsteadOfFailing() throws Exception {
        try (TestNode node = TestNode.startWithMemory(128 << 10)) {
            TableInfo table = node.table();
            try (TableWriter writer = node.client.writer(table)) {
                for (int id = 0; id < ROWS; id++) {
                    writer.append(GenericRow.of(id, "a text of some length, row " + id));
                    assertThat(writer.bytesWaiting()).isLessThan(512 << 10);
                }
                writer.flush();
            }
            assertThat(allStored(node, table)).hasSize(ROWS);
        }
    }

    @Test
    void upsertsAndDeletesReachTheirBuckets() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table("id");
            try (TableWriter writer = node.client.writer(table)) {
                for (int id = 0; id < 1_000; id++) {
                    writer.upsert(GenericRow.of(id, "first"));
                }
                for (int id = 0; id < 1_000; id += 2) {
                    writer.delete(GenericRow.of(id, null));
                }
                writer.flush();
            }
            assertThat(node.client.kvReader().snapshot(table.id()).rowCounts().values())
                    .satisfies(
                            counts ->
                                    assertThat(counts.stream().mapToLong(count -> count).sum())
                                            .isEqualTo(500));
            KeyCodec keys = new KeyCodec(table.schema(), new int[] {0});
            BucketId bucket =
                    table.buckets()
                            .get(
                                    new io.flinkfluss.storage.api.record.BucketHash(
                                                    table.schema(), new int[] {0}, 2)
                                            .bucket(GenericRow.of(501, null)));
            assertThat(
                            TestNode.get(
                                    node.client
                                            .kvReader()
                                            .lookup(
                                                    bucket,
                                                    List.of(
                                                            keys.encode(
                                                                    GenericRow.of(501, null))))))
                    .singleElement()
                    .satisfies(row -> assertThat(row).isPresent());
        }
    }

    @Test
    void aBucketThatWasIdleForLongBeginsAgainAsANewWriter() throws Exception {
        try (TestNode node = TestNode.start();
                FlussClient client =
                        FlussClient.connect(
                                ClientConfig.of(node.node.address())
                                        .withWriter(
                                                new WriterSettings(1 << 20, 4, Duration.ZERO)))) {
            TableInfo table = node.table();
            try (TableWriter writer = client.writer(table)) {
                for (int id = 0; id < 10; id++) {
                    writer.append(GenericRow.of(id, "row"));
                    writer.flush();
                }
            }
            // One id for the writer, then one for each batch after the first
            assertThat(node.service.newWriterId()).isEqualTo(10);
            assertThat(allStored(node, table)).hasSize(10);
        }
    }

    @Test
    void aBadRowIsRefusedAndTheRestIsKept() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            try (TableWriter writer = node.client.writer(table)) {
                writer.append(GenericRow.of(1, "good"));
                StorageException refused =
                        failure(() -> writer.append(GenericRow.of(null, "without an id")));
                assertThat(refused.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH);
                assertThat(refused).hasMessageContaining("id");
                writer.append(GenericRow.of(2, "good"));
                writer.flush();
            }
            assertThat(allStored(node, table)).containsExactly(1, 2);
        }
    }

    @Test
    void aFailureIsThrownByTheNextCallAndByEveryFlush() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            node.node.onPut(put -> new Fault.Refuse(refusal(ErrorCode.TABLE_NOT_FOUND)));
            try (TableWriter writer = node.client.writer(table)) {
                writer.append(GenericRow.of(1, "one"));
                assertThat(failure(writer::flush).code()).isEqualTo(ErrorCode.TABLE_NOT_FOUND);
                assertThat(failure(() -> writer.append(GenericRow.of(2, "two"))).code())
                        .isEqualTo(ErrorCode.TABLE_NOT_FOUND);
            }
        }
    }

    @Test
    void aWriterOfAClosedClientSaysSo() throws Exception {
        try (TestNode node = TestNode.start()) {
            node.node.onPut(put -> new Fault.Hold());
            try (TableWriter writer = node.client.writer(node.table())) {
                for (int id = 0; id < 1_000; id++) {
                    writer.append(GenericRow.of(id, "row"));
                }
                node.client.close();
                assertThat(failure(writer::flush).code()).isEqualTo(ErrorCode.CLOSED);
            }
        }
    }

    @Test
    void callsThatDoNotFitTheTableAreRefused() throws Exception {
        try (TestNode node = TestNode.start();
                TableWriter log = node.client.writer(node.table());
                TableWriter keyed = node.client.writer(node.table("id"))) {
            assertThat(failure(() -> log.upsert(GenericRow.of(1, ""))).code())
                    .isEqualTo(ErrorCode.UNSUPPORTED);
            assertThat(failure(() -> log.delete(GenericRow.of(1, ""))).code())
                    .isEqualTo(ErrorCode.UNSUPPORTED);
            assertThat(failure(() -> keyed.append(GenericRow.of(1, ""))).code())
                    .isEqualTo(ErrorCode.UNSUPPORTED);
        }
    }

    /** Field case O-66. */
    @ParameterizedTest
    @ValueSource(strings = {"", "id"})
    void aRowAboveTheLimitIsRefusedWithBothSizesAndLaterRowsGoOn(String key) throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = key.isEmpty() ? node.table() : node.table(key);
            String tooLong = "x".repeat(node.service.largestBatch());
            try (TableWriter writer = node.client.writer(table)) {
                write(writer, table, 0, "before");
                StorageException failure = failure(() -> write(writer, table, 1, tooLong));
                assertThat(failure.code()).isEqualTo(ErrorCode.RECORD_TOO_LARGE);
                assertThat(failure)
                        .hasMessageMatching("a row of 83886\\d\\d bytes.*")
                        .hasMessageContaining("may have 7864320 bytes");
                write(writer, table, 2, "after");
                writer.flush();
            }
            assertThat(allStored(node, table)).containsExactly(0, 2);
        }
    }

    /** Field case O-66: rows of 1 kB to 3 MB, whatever batches they are asked to make. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1 << 20, 64 << 20})
    void rowsOfAllSizesMakeBatchesThatTheServiceTakes(int batchBytes) throws Exception {
        try (TestNode node = TestNode.startWithMemory(16 << 20)) {
            TableInfo table = node.table("id");
            ClientConfig config =
                    ClientConfig.of(node.node.address())
                            .withWriter(new WriterSettings(batchBytes, 2));
            try (FlussClient client = FlussClient.connect(config);
                    TableWriter writer = client.writer(table)) {
                for (int id = 0; id < 12; id++) {
                    write(writer, table, id, "x".repeat(id % 3 == 0 ? 3 << 20 : 1 << 10));
                }
                writer.flush();
            }
            assertThat(allStored(node, table)).isEqualTo(IntStream.range(0, 12).boxed().toList());
        }
    }

    private static void write(TableWriter writer, TableInfo table, int id, String text) {
        if (table.hasPrimaryKey()) {
            writer.upsert(GenericRow.of(id, text));
        } else {
            writer.append(GenericRow.of(id, text));
        }
    }
}
