package io.flinkfluss.storage.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Tables, writes, reads and waits that the contract's tests share. */
abstract class ContractBase {
    static final Duration DEADLINE = Duration.ofSeconds(30);
    static final Schema LOG_SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(0, "id", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(1, "name", DataType.of(TypeRoot.STRING)),
                            Column.of(2, "amount", DataType.of(TypeRoot.DOUBLE))),
                    List.of());
    static final Schema KEYED_SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(0, "note", DataType.of(TypeRoot.STRING)),
                            Column.of(1, "city", DataType.of(TypeRoot.STRING).notNull()),
                            Column.of(2, "day", DataType.of(TypeRoot.INT).notNull())),
                    List.of("city", "day"));

    /** Names are unique, so that the tests may share one service. */
    private static final AtomicInteger NAMES = new AtomicInteger();

    /** The service under test; the same one for the whole of a test method. */
    protected abstract StorageService service();

    /** A change as a reader sees it. */
    record Change(long offset, ChangeKind kind, GenericRow row) {}

    static String newName(String prefix) {
        return prefix + NAMES.incrementAndGet();
    }

    static TablePath newPath() {
        return new TablePath("fluss", newName("contract_"));
    }

    static TableDescriptor descriptor(Schema schema, Map<String, String> options) {
        return new TableDescriptor(
                schema,
                List.of(),
                schema.hasPrimaryKey() ? List.of("city") : List.of(),
                2,
                options,
                Map.of("origin", "contract"),
                "a comment");
    }

    TableInfo newTable(Schema schema) {
        return service().admin().createTable(newPath(), descriptor(schema, Map.of()));
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StorageException refused) {
                throw refused;
            }
            throw e;
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + DEADLINE, e);
        }
    }

    static void assertCode(ErrorCode code, ThrowingCallable call) {
        assertThat(catchThrowable(call))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> {
                            assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
                            assertThat(e.getMessage()).isNotBlank();
                        });
    }

    static BucketId bucket(TableInfo table, int number) {
        return table.buckets().get(number);
    }

    AppendResult append(BucketId bucket, WriterStamp stamp, GenericRow... rows) throws Exception {
        return get(
                service().logAppender().append(bucket, stamp, TestBatches.arrow(LOG_SCHEMA, rows)));
    }

    AppendResult append(BucketId bucket, GenericRow... rows) throws Exception {
        return append(bucket, WriterStamp.NONE, rows);
    }

    AppendResult put(BucketId bucket, KvBatch batch) throws Exception {
        return get(service().kvWriter().put(bucket, WriterStamp.NONE, batch));
    }

    static KvBatch upserts(GenericRow... rows) {
        return TestBatches.upserts(KEYED_SCHEMA, rows);
    }

    static KvBatch deletes(GenericRow... rows) {
        return TestBatches.deletes(KEYED_SCHEMA, rows);
    }

    static GenericRow row(int id, String name, Double amount) {
        return GenericRow.of(id, name, amount);
    }

    static GenericRow keyed(String city, int day, String note) {
        return GenericRow.of(note, city, day);
    }

    /** The next batch, waiting for it. */
    static <B> B next(Batches<B> batches) throws InterruptedException {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (System.nanoTime() < deadline) {
            Optional<B> batch = batches.poll(Duration.ofSeconds(1));
            if (batch.isPresent()) {
                return batch.get();
            }
            assertThat(batches.isFinished()).as("the read ended too early").isFalse();
        }
        throw new AssertionError("no batch within " + DEADLINE);
    }

    /** Everything until the end. */
    static <B> List<B> all(Batches<B> batches) throws InterruptedException {
        List<B> read = new ArrayList<>();
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        try (batches) {
            while (System.nanoTime() < deadline) {
                Optional<B> batch = batches.poll(Duration.ofSeconds(1));
                batch.ifPresent(read::add);
                if (batch.isEmpty() && batches.isFinished()) {
                    return read;
                }
            }
        }
        throw new AssertionError("no end within " + DEADLINE);
    }

    /** The changes of a range, exactly: rows outside are skipped, as readers must. */
    List<Change> changes(TableInfo table, int bucket, long start, long end, int[] columns)
            throws InterruptedException {
        List<Change> changes = new ArrayList<>();
        ScanRequest request = new ScanRequest(bucket(table, bucket), start, end, columns);
        for (LogBatch batch : all(service().logReader().scan(request))) {
            List<GenericRow> rows = TestBatches.rows(table.schema(), columns, batch);
            assertThat(rows).hasSize(batch.rowCount());
            for (int i = batch.firstRow(start); i < rows.size(); i++) {
                if (batch.baseOffset() + i < end) {
                    changes.add(new Change(batch.baseOffset() + i, batch.kind(i), rows.get(i)));
                }
            }
        }
        return changes;
    }

    List<GenericRow> logRows(TableInfo table, int bucket, long start, long end, int[] columns)
            throws InterruptedException {
        return changes(table, bucket, start, end, columns).stream().map(Change::row).toList();
    }
}
