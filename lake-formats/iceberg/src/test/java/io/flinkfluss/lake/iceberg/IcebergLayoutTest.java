package io.flinkfluss.lake.iceberg;

import static io.flinkfluss.lake.LakeTables.keyedTable;
import static io.flinkfluss.lake.LakeTables.logTable;
import static io.flinkfluss.lake.LakeTables.schema;
import static io.flinkfluss.lake.LakeTables.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeFormats;
import io.flinkfluss.lake.LakeWriter;
import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What readers find that know nothing of us: read with Iceberg's own reader. */
class IcebergLayoutTest {
    @TempDir Path folder;

    private IcebergLake lake() {
        return (IcebergLake)
                LakeFormats.open(Map.of("format", "iceberg", "warehouse", folder.toString()));
    }

    @Test
    void theLakeTableHasTheUsersColumns() {
        Schema schema =
                new Schema(
                        1,
                        List.of(
                                new Column(
                                        1,
                                        "id",
                                        DataType.of(TypeRoot.BIGINT).notNull(),
                                        "who it is"),
                                Column.of(2, "small", DataType.of(TypeRoot.TINYINT)),
                                Column.of(3, "price", DataType.decimal(10, 2).notNull()),
                                Column.of(4, "at", DataType.of(TypeRoot.TIMESTAMP_LTZ, 3))),
                        List.of("id"));
        TableInfo keyed = table(5, "orders", schema, List.of("id"), 8);
        IcebergLake lake = lake();
        lake.createTable(keyed);

        Table table = lake.require(keyed);
        assertThat(IcebergLayout.describe(table.schema(), table.spec()))
                .isEqualTo(
                        "columns (id long not null, small int, price decimal(10, 2) not null, at"
                                + " timestamptz), key [id], partitions (bucket[8](id))");
        assertThat(table.schema().findField("id").doc()).isEqualTo("who it is");
        assertThat(table.properties())
                .containsEntry("fluss.table-id", "5")
                .containsEntry("fluss.table-created-millis", Long.toString(keyed.createdAtMillis()))
                .containsEntry("write.delete.mode", "merge-on-read");
        assertThat(table.name()).endsWith("shop.orders");
    }

    @Test
    void withoutASingleBucketColumnTheBucketIsAColumnOfItsOwn() {
        DataType text = DataType.of(TypeRoot.STRING).notNull();
        DataType number = DataType.of(TypeRoot.DOUBLE);
        assertThat(shape(schema(List.of(), "a", text), List.of()))
                .contains("__bucket int not null")
                .contains("partitions (identity(__bucket))");
        assertThat(shape(schema(List.of("a", "b"), "a", text, "b", text), List.of("a", "b")))
                .contains("key [a, b], partitions (identity(__bucket))");
        assertThat(shape(schema(List.of(), "d", number), List.of("d")))
                .contains("partitions (identity(__bucket))");
        assertThat(shape(schema(List.of(), "a", text, "a_bucket", text), List.of("a")))
                .contains("partitions (bucket[2](a))");
    }

    private static String shape(Schema schema, List<String> bucketKey) {
        IcebergLayout layout = IcebergLayout.of(table(1, "t", schema, bucketKey, 2).descriptor());
        return IcebergLayout.describe(layout.schema(), layout.spec());
    }

    @Test
    void whatIcebergCannotHoldIsRefusedByName() {
        assertThatThrownBy(
                        () ->
                                shape(
                                        schema(List.of(), "t9", DataType.of(TypeRoot.TIMESTAMP, 9)),
                                        List.of()))
                .hasMessageContaining("column t9 has the type TIMESTAMP(9)")
                .hasMessageContaining("TIMESTAMP(6)");
        assertThatThrownBy(
                        () ->
                                shape(
                                        schema(
                                                List.of("k"),
                                                "k",
                                                DataType.of(TypeRoot.DOUBLE).notNull()),
                                        List.of("k")))
                .hasMessageContaining("primary key column k has the type DOUBLE");
        assertThatThrownBy(
                        () ->
                                shape(
                                        schema(
                                                List.of(),
                                                "Name",
                                                DataType.of(TypeRoot.INT),
                                                "name",
                                                DataType.of(TypeRoot.INT)),
                                        List.of()))
                .hasMessageContaining("columns Name and name differ only");
        assertThatThrownBy(
                        () ->
                                shape(
                                        schema(List.of(), "__bucket", DataType.of(TypeRoot.INT)),
                                        List.of()))
                .hasMessageContaining("lake's own bucket column");
    }

    @Test
    void settingsThatAreMissingAreNamed() {
        assertThatThrownBy(() -> LakeFormats.open(Map.of("format", "iceberg")))
                .hasMessageContaining("datalake.iceberg.warehouse is not set");
        assertThatThrownBy(
                        () ->
                                LakeFormats.open(
                                        Map.of(
                                                "format",
                                                "iceberg",
                                                "type",
                                                "nope",
                                                "warehouse",
                                                "x")))
                .hasMessageContaining("catalog of type nope cannot be opened");
    }

    @Test
    void propertiesOfTheLakeTableCanBeSetAtCreate() {
        TableDescriptor plain = logTable(1, "t").descriptor();
        TableDescriptor descriptor =
                new TableDescriptor(
                        plain.schema(),
                        List.of(),
                        plain.bucketKey(),
                        2,
                        Map.of(),
                        Map.of("iceberg.write.parquet.compression-codec", "gzip"),
                        "all of it");

        assertThat(IcebergLayout.of(descriptor).properties())
                .containsEntry("write.parquet.compression-codec", "gzip")
                .containsEntry("comment", "all of it");
    }

    @Test
    void smallNumbersAndTimesAreWhatTheyWere() {
        Schema schema =
                schema(
                        List.of(),
                        "a",
                        DataType.of(TypeRoot.TINYINT),
                        "b",
                        DataType.of(TypeRoot.SMALLINT),
                        "t",
                        DataType.of(TypeRoot.TIME, 0));
        TableInfo info = table(1, "neg", schema, List.of(), 1);
        IcebergLake lake = lake();
        lake.createTable(info);
        tier(lake, info, GenericRow.of((byte) -1, (short) -2, 86_399_000));

        Record record = read(lake.require(info), Expressions.alwaysTrue()).get(0);
        assertThat(record.getField("a")).isEqualTo(-1);
        assertThat(record.getField("b")).isEqualTo(-2);
        assertThat(record.getField("t")).isEqualTo(LocalTime.of(23, 59, 59));
        assertThat(record.getField("__bucket")).isEqualTo(0);
    }

    @Test
    void filtersOnTheBucketColumnPruneNoRowThatMatches() {
        Schema schema =
                schema(
                        List.of(),
                        "origin",
                        DataType.of(TypeRoot.STRING),
                        "n",
                        DataType.of(TypeRoot.FLOAT));
        TableInfo info = table(1, "flights", schema, List.of("origin"), 4);
        IcebergLake lake = lake();
        lake.createTable(info);
        List<RowView> rows = new ArrayList<>();
        for (String origin : new String[] {"JFK", "LAX", "SFO", null, "ORD", "ATL"}) {
            rows.add(GenericRow.of(origin, origin == null ? Float.NaN : 1f));
        }
        tier(lake, info, rows.toArray(new RowView[0]));

        Table table = lake.require(info);
        assertThat(read(table, Expressions.isNull("origin"))).hasSize(1);
        for (String origin : List.of("JFK", "LAX", "SFO", "ORD", "ATL")) {
            assertThat(read(table, Expressions.equal("origin", origin))).hasSize(1);
        }
        assertThat(read(table, Expressions.isNaN("n"))).hasSize(1);
        assertThat(read(table, Expressions.greaterThan("n", 0f)))
                .extracting(record -> record.getField("n"))
                .contains(1f)
                .hasSizeBetween(5, 6);
        assertThat(lake.reader(info).plan(lake.latestSnapshot(info).orElseThrow(), null))
                .isNotEmpty()
                .allSatisfy(split -> assertThat(split.bucket()).isBetween(-1, 3));
    }

    @Test
    void anotherReaderSeesTheNewestRowOfAKeyOnly() {
        TableInfo info = keyedTable(1, "users");
        IcebergLake lake = lake();
        lake.createTable(info);
        BucketId bucket = info.buckets().get(1);
        LakeWriter first = lake.newWriter(info, bucket);
        first.write(ChangeKind.INSERT, GenericRow.of("a", 1L), 0, 1);
        first.write(ChangeKind.INSERT, GenericRow.of("b", 1L), 1, 1);
        lake.committer(info).commit(1, Map.of(), Map.of(bucket, 2L), 1, List.of(first.complete()));
        LakeWriter second = lake.newWriter(info, bucket);
        second.write(ChangeKind.UPDATE_AFTER, GenericRow.of("c", 1L), 2, 1);
        lake.committer(info)
                .commit(2, Map.of(bucket, 2L), Map.of(bucket, 3L), 1, List.of(second.complete()));

        assertThat(read(lake.require(info), Expressions.alwaysTrue()))
                .singleElement()
                .satisfies(record -> assertThat(record.getField("name")).isEqualTo("c"));
    }

    /** One round with each row in the bucket that its key asks for. */
    private static void tier(LakeCatalog lake, TableInfo info, RowView... rows) {
        int[] key = info.schema().indexesOf(info.descriptor().bucketKey());
        Map<Integer, LakeWriter> writers = new TreeMap<>();
        Map<BucketId, Long> ends = new TreeMap<>();
        for (RowView row : rows) {
            // a writer that chooses buckets itself may send NULL
            int bucket = key.length == 0 || row.isNullAt(key[0]) ? 0 : hash(info, key).bucket(row);
            BucketId id = info.buckets().get(bucket);
            writers.computeIfAbsent(bucket, number -> lake.newWriter(info, id))
                    .write(ChangeKind.INSERT, row, 0, 1);
            ends.merge(id, 1L, Long::sum);
        }
        List<byte[]> files = writers.values().stream().map(LakeWriter::complete).toList();
        lake.committer(info).commit(1, Map.of(), ends, 1, files);
    }

    private static BucketHash hash(TableInfo info, int[] key) {
        return new BucketHash(info.schema(), key, info.descriptor().bucketCount());
    }

    private static List<Record> read(Table table, Expression filter) {
        List<Record> records = new ArrayList<>();
        try (CloseableIterable<Record> rows = IcebergGenerics.read(table).where(filter).build()) {
            rows.forEach(records::add);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return records;
    }
}
