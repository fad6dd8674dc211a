package io.flinkfluss.flink.tiering;

import io.flinkfluss.flink.connection.MemoryConnector;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.lake.InMemoryLake;
import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeFormats;
import io.flinkfluss.lake.LakeReader;
import io.flinkfluss.lake.LakeRows;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.LakeSplit;
import io.flinkfluss.lake.LakeTables;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A storage service and a lake in memory, with the options of a job that tiers one to the other.
 */
final class TestLake implements AutoCloseable {
    private final String name = UUID.randomUUID().toString();
    private final Map<String, String> settings = Map.of("format", "memory", "warehouse", name);
    private final InMemoryStorageService service =
            new InMemoryStorageService(Clock.systemUTC(), Map.of("format", "iceberg"));
    private final TieringOptions options =
            new TieringOptions(
                    ConnectionOptions.of(MemoryConnector.register(name, service)),
                    settings,
                    Duration.ofMillis(50));

    TieringOptions options() {
        return options;
    }

    InMemoryStorageService service() {
        return service;
    }

    InMemoryLake.Warehouse warehouse() {
        return InMemoryLake.Warehouse.named(name);
    }

    LakeCatalog lake() {
        return LakeFormats.open(settings);
    }

    /** Like this table, in the database fluss, with a freshness of 200 milliseconds. */
    TableInfo create(TableInfo like) {
        TableDescriptor given = like.descriptor();
        return service.admin()
                .createTable(
                        new TablePath("fluss", like.path().table()),
                        new TableDescriptor(
                                given.schema(),
                                given.partitionKeys(),
                                given.bucketKey(),
                                given.bucketCount(),
                                Map.of(
                                        "table.datalake.enabled",
                                        "true",
                                        "table.datalake.freshness",
                                        "200 ms"),
                                Map.of(),
                                ""));
    }

    void append(TableInfo table, int bucket, GenericRow... rows) {
        service.append(
                        BucketId.of(table.id(), bucket),
                        WriterStamp.NONE,
                        TestBatches.arrow(table.schema(), rows))
                .join();
    }

    void upsert(TableInfo table, int bucket, GenericRow... rows) {
        service.put(
                        BucketId.of(table.id(), bucket),
                        WriterStamp.NONE,
                        TestBatches.upserts(table.schema(), rows))
                .join();
    }

    void delete(TableInfo table, int bucket, GenericRow... rows) {
        service.put(
                        BucketId.of(table.id(), bucket),
                        WriterStamp.NONE,
                        TestBatches.deletes(table.schema(), rows))
                .join();
    }

    /** All rows of the newest lake snapshot. */
    List<List<Object>> rows(TableInfo table) {
        Optional<LakeSnapshot> snapshot = lake().latestSnapshot(table);
        List<List<Object>> values = new ArrayList<>();
        if (snapshot.isPresent()) {
            List<DataType> types = table.schema().columns().stream().map(Column::type).toList();
            LakeReader reader = lake().reader(table);
            for (LakeSplit split : reader.plan(snapshot.get(), null)) {
                try (LakeRows rows = reader.read(split, null)) {
                    rows.forEachRemaining(row -> values.add(LakeTables.values(row, types)));
                }
            }
        }
        return values;
    }

    @Override
    public void close() {
        MemoryConnector.unregister(name);
        service.close();
    }
}
