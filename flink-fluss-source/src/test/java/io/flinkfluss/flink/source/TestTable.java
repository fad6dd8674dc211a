package io.flinkfluss.flink.source;

import io.flinkfluss.flink.connection.MemoryConnector;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import io.flinkfluss.storage.api.testkit.ManualClock;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** One table of a service in memory, reachable as {@link #servers}; time moves by the test only. */
public final class TestTable implements AutoCloseable {
    public static final long START_MILLIS = 1_000_000;

    private final ManualClock clock = new ManualClock(START_MILLIS);
    private final InMemoryStorageService service = new InMemoryStorageService(clock, Map.of());
    private final String name = UUID.randomUUID().toString();
    private final String servers = MemoryConnector.register(name, service);
    private final TableInfo table;

    private TestTable(List<Column> columns, List<String> primaryKey, int buckets) {
        table =
                service.admin()
                        .createTable(
                                new TablePath("fluss", "t"),
                                new TableDescriptor(
                                        new Schema(1, columns, primaryKey),
                                        List.of(),
                                        primaryKey,
                                        buckets,
                                        Map.of(),
                                        Map.of(),
                                        ""));
    }

    public static TestTable log(int buckets, Column... columns) {
        return new TestTable(List.of(columns), List.of(), buckets);
    }

    /** The first column is the primary key. */
    public static TestTable keyed(int buckets, Column... columns) {
        return new TestTable(List.of(columns), List.of(columns[0].name()), buckets);
    }

    public InMemoryStorageService service() {
        return service;
    }

    public TableInfo info() {
        return table;
    }

    public BucketId bucket(int number) {
        return BucketId.of(table.id(), number);
    }

    public FlussSourceBuilder source() {
        return FlussSource.builder().bootstrapServers(servers).table("fluss", "t");
    }

    public void append(int bucket, GenericRow... rows) {
        service.append(bucket(bucket), WriterStamp.NONE, TestBatches.arrow(table.schema(), rows))
                .join();
    }

    public void upsert(int bucket, GenericRow... rows) {
        service.put(bucket(bucket), WriterStamp.NONE, TestBatches.upserts(table.schema(), rows))
                .join();
    }

    public void delete(int bucket, GenericRow... rows) {
        service.put(bucket(bucket), WriterStamp.NONE, TestBatches.deletes(table.schema(), rows))
                .join();
    }

    public void pass(Duration time) {
        clock.advance(time);
    }

    @Override
    public void close() {
        MemoryConnector.unregister(name);
        service.close();
    }
}
