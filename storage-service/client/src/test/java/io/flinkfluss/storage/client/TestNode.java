package io.flinkfluss.storage.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import io.flinkfluss.storage.api.testkit.TestBatches;
import io.flinkfluss.storage.client.transport.FakeNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A node that can misbehave, the service behind it, and a client of it. */
public final class TestNode implements AutoCloseable {
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    public final InMemoryStorageService service = new InMemoryStorageService();
    public final FakeNode node;
    public final FlussClient client;

    private TestNode(Duration timeout, long writerMemory) throws IOException {
        node = new FakeNode(service);
        client =
                FlussClient.connect(
                        ClientConfig.of(node.address())
                                .withRequestTimeout(timeout)
                                .withDeliveryTimeout(timeout)
                                .withWriterMemoryBytes(writerMemory));
    }

    public static TestNode start() throws IOException {
        return new TestNode(PATIENCE, 64 << 20);
    }

    /**
     * @param timeout of requests and deliveries
     */
    public static TestNode start(Duration timeout) throws IOException {
        return new TestNode(timeout, 64 << 20);
    }

    public static TestNode startWithMemory(long writerMemory) throws IOException {
        return new TestNode(PATIENCE, writerMemory);
    }

    @Override
    public void close() {
        client.close();
        node.close();
    }

    /** A table of {@code id INT, text STRING} in two buckets. */
    public TableInfo table(String... primaryKey) {
        return table(service, primaryKey);
    }

    static TableInfo table(InMemoryStorageService service, String... primaryKey) {
        Schema schema =
                new Schema(
                        1,
                        List.of(
                                Column.of(0, "id", DataType.of(TypeRoot.INT).notNull()),
                                Column.of(1, "text", DataType.of(TypeRoot.STRING))),
                        List.of(primaryKey));
        TableDescriptor descriptor =
                new TableDescriptor(
                        schema, List.of(), List.of(primaryKey), 2, Map.of(), Map.of(), "");
        return service.admin()
                .createTable(
                        new TablePath("fluss", "t" + service.admin().tables("fluss").size()),
                        descriptor);
    }

    public static ArrowBatch batch(TableInfo table, int id) {
        return TestBatches.arrow(table.schema(), GenericRow.of(id, "row " + id));
    }

    /** The ids of a bucket's log as the service itself has them. */
    public List<Integer> stored(TableInfo table, BucketId bucket) throws InterruptedException {
        return stored(service, table, bucket);
    }

    public static List<Integer> stored(
            InMemoryStorageService service, TableInfo table, BucketId bucket)
            throws InterruptedException {
        long end =
                service.offsets(
                                List.of(bucket),
                                new io.flinkfluss.storage.api.record.OffsetSpec.Latest())
                        .get(bucket);
        return ids(table, service.scan(new ScanRequest(bucket, 0, end, null)));
    }

    public static List<Integer> ids(TableInfo table, Batches<LogBatch> batches)
            throws InterruptedException {
        List<Integer> ids = new ArrayList<>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (batches) {
            while (!batches.isFinished()) {
                assertThat(System.nanoTime()).as("got %s", ids).isLessThan(deadline);
                Optional<LogBatch> batch = batches.poll(Duration.ofSeconds(1));
                batch.filter(read -> read.rowCount() > 0)
                        .ifPresent(
                                read ->
                                        TestBatches.rows(table.schema(), null, read)
                                                .forEach(row -> ids.add(row.intAt(0))));
            }
        }
        return ids;
    }

    /** The answer, with the storage service's own exception when it failed. */
    public static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StorageException known) {
                throw known;
            }
            throw new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + PATIENCE, e);
        }
    }

    public static StorageException failure(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(StorageException.class);
        return (StorageException) thrown;
    }

    public static StorageException refusal(ErrorCode code) {
        return new StorageException(code, "refused by the test with " + code);
    }
}
