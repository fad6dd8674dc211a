package io.flinkfluss.lake;

import static io.flinkfluss.lake.LakeTables.schema;
import static io.flinkfluss.lake.LakeTables.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** What contracts of lake formats are written with. */
public abstract class LakeContractTools {
    private final List<LakeCatalog> opened = new ArrayList<>();

    /** A new connection to this test's own, at first empty lake. */
    protected abstract LakeCatalog openLake();

    protected final LakeCatalog lake() {
        LakeCatalog lake = openLake();
        opened.add(lake);
        return lake;
    }

    @AfterEach
    void closeLakes() {
        opened.forEach(LakeCatalog::close);
    }

    protected record Change(ChangeKind kind, RowView row) {}

    protected static Change change(ChangeKind kind, RowView row) {
        return new Change(kind, row);
    }

    protected static RowView row(Object... values) {
        return GenericRow.of(values);
    }

    protected static BucketId bucket(TableInfo table) {
        return table.buckets().get(table.buckets().size() - 1);
    }

    protected static List<DataType> types(TableInfo table) {
        return table.schema().columns().stream().map(column -> column.type()).toList();
    }

    protected static byte[] write(
            LakeCatalog lake, TableInfo table, long firstOffset, Change... changes) {
        LakeWriter writer = lake.newWriter(table, bucket(table));
        long offset = firstOffset;
        for (Change change : changes) {
            writer.write(change.kind(), change.row(), offset++, 1000);
        }
        return writer.complete();
    }

    protected static LakeSnapshot commit(
            LakeCatalog lake, TableInfo table, long round, long firstOffset, Change... changes) {
        byte[] files = write(lake, table, firstOffset, changes);
        return lake.committer(table)
                .commit(
                        round,
                        round == 1 ? Map.of() : Map.of(bucket(table), firstOffset),
                        Map.of(bucket(table), firstOffset + changes.length),
                        1000,
                        List.of(files));
    }

    protected static LakeSnapshot commitRows(
            LakeCatalog lake, TableInfo table, long round, long firstOffset, RowView... rows) {
        return commit(
                lake,
                table,
                round,
                firstOffset,
                Arrays.stream(rows)
                        .map(row -> new Change(ChangeKind.INSERT, row))
                        .toArray(Change[]::new));
    }

    protected static List<List<Object>> read(
            LakeCatalog lake, TableInfo table, LakeSnapshot snapshot, int... columns) {
        int[] asked = columns;
        List<DataType> all = types(table);
        List<DataType> read = Arrays.stream(asked).mapToObj(all::get).toList();
        return readColumns(lake, table, snapshot, asked, read);
    }

    protected static List<List<Object>> read(
            LakeCatalog lake, TableInfo table, LakeSnapshot snapshot) {
        return readColumns(lake, table, snapshot, null, types(table));
    }

    private static List<List<Object>> readColumns(
            LakeCatalog lake,
            TableInfo table,
            LakeSnapshot snapshot,
            int[] columns,
            List<DataType> types) {
        List<List<Object>> values = new ArrayList<>();
        LakeReader reader = lake.reader(table);
        for (LakeSplit split : reader.plan(snapshot, columns)) {
            try (LakeRows rows = reader.read(split, columns)) {
                while (rows.hasNext()) {
                    values.add(LakeTables.values(rows.next(), types));
                }
            }
        }
        return values;
    }

    protected static void assertStale(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertCode(ErrorCode.STALE_LAKE_PROGRESS, call);
    }

    protected static org.assertj.core.api.AbstractThrowableAssert<?, ?> assertCode(
            ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    /** One column of every type that every format holds. */
    protected static TableInfo allTypes() {
        return table(
                1,
                "types",
                schema(
                        List.of(),
                        "b",
                        DataType.of(TypeRoot.BOOLEAN),
                        "i8",
                        DataType.of(TypeRoot.TINYINT),
                        "i16",
                        DataType.of(TypeRoot.SMALLINT),
                        "i32",
                        DataType.of(TypeRoot.INT),
                        "i64",
                        DataType.of(TypeRoot.BIGINT),
                        "f32",
                        DataType.of(TypeRoot.FLOAT),
                        "f64",
                        DataType.of(TypeRoot.DOUBLE),
                        "c",
                        DataType.of(TypeRoot.CHAR, 2),
                        "s",
                        DataType.of(TypeRoot.STRING),
                        "fixed",
                        DataType.of(TypeRoot.BINARY, 3),
                        "bytes",
                        DataType.of(TypeRoot.BYTES),
                        "d9",
                        DataType.decimal(9, 2),
                        "d18",
                        DataType.decimal(18, 6),
                        "d38",
                        DataType.decimal(38, 9),
                        "date",
                        DataType.of(TypeRoot.DATE),
                        "time",
                        DataType.of(TypeRoot.TIME, 3),
                        "ts",
                        DataType.of(TypeRoot.TIMESTAMP, 6),
                        "ltz",
                        DataType.of(TypeRoot.TIMESTAMP_LTZ, 6),
                        "ts0",
                        DataType.of(TypeRoot.TIMESTAMP, 0)),
                List.of(),
                2);
    }
}
