package io.flinkfluss.flink.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.flink.type.FlinkTypes;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.ArrowCompression;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.junit.jupiter.api.Test;

/** Flink rows go through Arrow and through the row codec and come back equal. */
class RowsTest {
    private static final Schema SCHEMA = schema();

    private static Schema schema() {
        List<DataType> types =
                List.of(
                        DataType.of(TypeRoot.BOOLEAN),
                        DataType.of(TypeRoot.TINYINT),
                        DataType.of(TypeRoot.SMALLINT),
                        DataType.of(TypeRoot.INT),
                        DataType.of(TypeRoot.BIGINT),
                        DataType.of(TypeRoot.FLOAT),
                        DataType.of(TypeRoot.DOUBLE),
                        DataType.of(TypeRoot.CHAR, 3),
                        DataType.of(TypeRoot.STRING),
                        DataType.of(TypeRoot.BINARY, 2),
                        DataType.of(TypeRoot.BYTES),
                        DataType.decimal(18, 2),
                        DataType.decimal(38, 18),
                        DataType.of(TypeRoot.DATE),
                        DataType.of(TypeRoot.TIME, 3),
                        DataType.of(TypeRoot.TIMESTAMP, 0),
                        DataType.of(TypeRoot.TIMESTAMP, 6),
                        DataType.of(TypeRoot.TIMESTAMP, 9),
                        DataType.of(TypeRoot.TIMESTAMP_LTZ, 3),
                        DataType.of(TypeRoot.TIMESTAMP_LTZ, 9));
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            columns.add(Column.of(i, "c" + i, types.get(i)));
        }
        return new Schema(1, columns, List.of());
    }

    private static List<RowData> samples() {
        GenericRowData nulls = new GenericRowData(SCHEMA.columns().size());
        return List.of(
                row(
                        true,
                        1,
                        "abc",
                        "grün €",
                        "12345.67",
                        "12345678901234567890.000000000000000001",
                        0),
                nulls,
                row(
                        false,
                        -1,
                        "xyz",
                        "",
                        "-9999999999999999.99",
                        "-99999999999999999999.999999999999999999",
                        -1),
                row(true, 7, "   ", "x".repeat(2000), "0.00", "0.000000000000000000", -86_400_001L),
                row(
                        true,
                        0,
                        "q\0w",
                        "\uD83D\uDE80",
                        "0.01",
                        "1.5",
                        253_402_300_799_999L / 1_000_000));
    }

    private static RowData row(
            boolean flag,
            int number,
            String fixed,
            String text,
            String small,
            String large,
            long millis) {
        return GenericRowData.of(
                flag,
                (byte) (number * 127),
                (short) (number * 32_767),
                number * Integer.MAX_VALUE,
                number * Long.MAX_VALUE,
                number == 0 ? Float.NaN : number * 1.5f,
                number == 0 ? Double.NEGATIVE_INFINITY : number * Double.MAX_VALUE,
                StringData.fromString(fixed),
                StringData.fromString(text),
                new byte[] {(byte) number, -1},
                number == 7 ? new byte[0] : new byte[] {0, 1, (byte) number},
                DecimalData.fromBigDecimal(new BigDecimal(small), 18, 2),
                DecimalData.fromBigDecimal(new BigDecimal(large), 38, 18),
                number * 20_000,
                number == 7 ? 86_399_999 : 0,
                TimestampData.fromEpochMillis(Math.floorDiv(millis, 1000) * 1000),
                TimestampData.fromEpochMillis(millis, 123_000),
                TimestampData.fromEpochMillis(millis, 999_999),
                TimestampData.fromEpochMillis(millis),
                TimestampData.fromEpochMillis(millis, 1));
    }

    @Test
    void rowsComeBackFromArrow() {
        for (ArrowCompression compression : ArrowCompression.values()) {
            assertArrowRoundTrip(new CompressionSettings(compression, 1));
        }
    }

    private static void assertArrowRoundTrip(CompressionSettings compression) {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBatchWriter writer = new ArrowBatchWriter(SCHEMA, allocator, compression);
                ArrowBatchReader reader = new ArrowBatchReader(SCHEMA, null, allocator)) {
            RowDataView view = new RowDataView(SCHEMA);
            samples().forEach(row -> writer.write(view.replace(row)));
            ArrowBatch all = writer.finish();
            writer.write(view.replace(samples().get(2)));
            ArrowBatch one = writer.finish();

            ArrowRows rows = new ArrowRows(reader.read(all.metadata(), all.body()));
            rows.loaded();
            assertThat(rows.rowCount()).isEqualTo(samples().size());
            List<RowData> copies = copies(rows);
            assertThat(copies).containsExactlyElementsOf(samples());

            reader.read(one.metadata(), one.body());
            rows.loaded();
            assertThat(copies(rows)).containsExactly(samples().get(2));
            // copies of earlier rows do not change when the vectors are loaded again
            assertThat(copies).containsExactlyElementsOf(samples());
        }
    }

    @Test
    void rowsComeBackFromTheRowCodec() {
        RowCodec codec = new RowCodec(SCHEMA);
        RowDataView view = new RowDataView(SCHEMA);
        RowViewData copier = new RowViewData(SCHEMA);
        for (RowData row : samples()) {
            RowData copy = copier.copy(codec.decode(codec.encode(view.replace(row))));
            assertThat(copy).isEqualTo(row);
        }
    }

    @Test
    void aProjectionOfStoredRowsKeepsTheAskedOrder() {
        RowCodec codec = new RowCodec(SCHEMA);
        RowData row = samples().get(0);
        RowViewData copier = RowViewData.projected(SCHEMA, new int[] {8, 0});
        RowData copy =
                copier.copy(codec.decode(codec.encode(new RowDataView(SCHEMA).replace(row))));
        assertThat(copy).isEqualTo(GenericRowData.of(row.getString(8), true));
    }

    private static List<RowData> copies(ArrowRows rows) {
        ColumnarRowData cursor = rows.newRow();
        List<RowData> copies = new ArrayList<>();
        for (int i = 0; i < rows.rowCount(); i++) {
            cursor.setRowId(i);
            GenericRowData copy = new GenericRowData(SCHEMA.columns().size());
            for (int c = 0; c < copy.getArity(); c++) {
                copy.setField(
                        c,
                        RowData.createFieldGetter(
                                        FlinkTypes.toFlink(SCHEMA.columns().get(c).type()), c)
                                .getFieldOrNull(cursor));
            }
            copies.add(copy);
        }
        return copies;
    }
}
