package io.flinkfluss.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.RowBatch;
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
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.write.TableWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is written and read while the storage process is killed and started again. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class KillServerITCase {
    private static final int ROWS_PER_ROUND = 60_000;
    private static final int KILLS = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir private Path folder;
    private StorageProcess process;
    private FlussClient client;

    @BeforeEach
    void start() {
        process = StorageProcess.start(folder.resolve("data"));
        client = FlussClient.connect(ClientConfig.of(process.address()));
    }

    @AfterEach
    void stop() {
        client.close();
        process.close();
    }

    @Test
    void aWriterAndAReaderGoOnThroughKillsAndEveryRowIsThereOnce() throws Exception {
        // Given a writer that writes on another thread, and a reader per bucket that follows
        TableInfo table = createTable(List.of());
        int total = ROWS_PER_ROUND * (KILLS + 1);
        Progress written = new Progress();
        List<Batches<LogBatch>> readers =
                table.buckets().stream()
                        .map(bucket -> scan(bucket, ScanRequest.UNBOUNDED))
                        .toList();
        CompletableFuture<Void> writing = run(() -> write(table, total, written));

        // When the process is killed and started again while rows are on their way
        for (int kill = 1; kill <= KILLS; kill++) {
            written.await(kill * ROWS_PER_ROUND);
            process.kill();
            process.start();
        }
        writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        // Then both a reader from before and one from after see each row exactly once
        List<Integer> followed = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            try (Batches<LogBatch> reader = readers.get(i)) {
                followed.addAll(read(table, reader, end(table.buckets().get(i))));
            }
        }
        List<Integer> readAgain = new ArrayList<>();
        for (BucketId bucket : table.buckets()) {
            try (Batches<LogBatch> reader = scan(bucket, end(bucket))) {
                readAgain.addAll(read(table, reader, end(bucket)));
            }
        }
        List<Integer> expected = IntStream.range(0, total).boxed().toList();
        assertThat(followed.stream().sorted().toList()).isEqualTo(expected);
        assertThat(readAgain.stream().sorted().toList()).isEqualTo(expected);
    }

    @Test
    void upsertsGoOnThroughAKillAndTheStateIsTheFoldOfTheChangelog() throws Exception {
        TableInfo table = createTable(List.of("id"));
        Progress written = new Progress();
        int total = ROWS_PER_ROUND;
        CompletableFuture<Void> writing = run(() -> write(table, total, written));
        written.await(total / 2);
        process.kill();
        process.start();
        writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        KvSnapshot snapshot = client.kvReader().snapshot(table.id());
        List<Integer> ids = new ArrayList<>();
        for (BucketId bucket : table.buckets()) {
            KvScanRequest request =
                    new KvScanRequest(bucket, snapshot.snapshotId(), new byte[0], null);
            try (Batches<RowBatch> reader = client.kvReader().scan(request)) {
                while (!reader.isFinished()) {
                    Optional<RowBatch> batch = reader.poll(Duration.ofSeconds(10));
                    batch.ifPresent(
                            rows ->
                                    TestBatches.rows(table.schema(), null, rows)
                                            .forEach(row -> ids.add(row.intAt(0))));
                }
            }
        }
        client.kvReader().release(snapshot);
        assertThat(ids.stream().sorted().toList())
                .isEqualTo(IntStream.range(0, total).boxed().toList());
        long changes = 0;
        for (BucketId bucket : table.buckets()) {
            changes += end(bucket);
        }
        assertThat(changes).as("each row was inserted once and never updated").isEqualTo(total);
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
                new TableDescriptor(schema, List.of(), List.of("id"), 3, Map.of(), Map.of(), "");
        return client.admin().createTable(new TablePath("fluss", "killed"), descriptor);
    }

    private void write(TableInfo table, int total, Progress written) throws InterruptedException {
        try (TableWriter writer = client.writer(table)) {
            for (int id = 0; id < total; id++) {
                GenericRow row = GenericRow.of(id, "row " + id);
                if (table.hasPrimaryKey()) {
                    writer.upsert(row);
                } else {
                    writer.append(row);
                }
                written.add();
                // Acknowledged now and then, so that rows are on their way at every moment.
                if (id % 1_000 == 999) {
                    writer.flush();
                }
            }
            writer.flush();
        }
    }

    private Batches<LogBatch> scan(BucketId bucket, long end) {
        return client.logReader().scan(new ScanRequest(bucket, 0, end, null));
    }

    private long end(BucketId bucket) {
        return client.logReader().offsets(List.of(bucket), new OffsetSpec.Latest()).get(bucket);
    }

    private static List<Integer> read(TableInfo table, Batches<LogBatch> reader, long end)
            throws InterruptedException {
        List<Integer> ids = new ArrayList<>();
        long position = 0;
        while (position < end) {
            Optional<LogBatch> batch = reader.poll(PATIENCE);
            assertThat(batch).as("the log ends at %d, not at %d", end, position).isPresent();
            List<GenericRow> rows = TestBatches.rows(table.schema(), null, batch.get());
            for (int i = batch.get().firstRow(position); i < rows.size(); i++) {
                ids.add(rows.get(i).intAt(0));
            }
            position = batch.get().nextOffset();
        }
        return ids;
    }

    /** A piece of work that may be interrupted. */
    private interface Work {
        void run() throws InterruptedException;
    }

    private static CompletableFuture<Void> run(Work work) {
        Executor thread =
                task -> {
                    Thread started = new Thread(task, "kill-test-writer");
                    started.setDaemon(true);
                    started.start();
                };
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        work.run();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                thread);
    }

    /** How many rows were written; others wait for it. */
    private static final class Progress {
        private int rows;

        synchronized void add() {
            rows++;
            if (rows % 1_000 == 0) {
                notifyAll();
            }
        }

        synchronized void await(int wanted) throws InterruptedException {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (rows < wanted) {
                long left = deadline - System.nanoTime();
                assertThat(left).as("only %d of %d rows were written", rows, wanted).isPositive();
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
    }
}
