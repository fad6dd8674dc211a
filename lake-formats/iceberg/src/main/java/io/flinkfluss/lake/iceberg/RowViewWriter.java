package io.flinkfluss.lake.iceberg;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.iceberg.DoubleFieldMetrics;
import org.apache.iceberg.FieldMetrics;
import org.apache.iceberg.FloatFieldMetrics;
import org.apache.iceberg.parquet.ParquetValueWriter;
import org.apache.iceberg.parquet.TripleWriter;
import org.apache.iceberg.types.TypeUtil;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;

/**
 * Writes rows into Parquet columns straight from their views: no object per row or field. Takes the
 * columns of the file's schema from the row by name; {@code __bucket} is the writer's own.
 */
final class RowViewWriter implements ParquetValueWriter<RowView> {
    private final Field[] fields;

    private RowViewWriter(Field[] fields) {
        this.fields = fields;
    }

    /**
     * @param table columns of the rows
     * @param schema columns of the file
     * @param message the file's Parquet schema, columns in the same order
     */
    static RowViewWriter create(
            io.flinkfluss.storage.api.table.Schema table,
            org.apache.iceberg.Schema schema,
            MessageType message,
            int bucket) {
        List<Field> fields = new ArrayList<>();
        List<ColumnDescriptor> descriptors = message.getColumns();
        for (int i = 0; i < descriptors.size(); i++) {
            var column = schema.columns().get(i);
            ColumnDescriptor descriptor = descriptors.get(i);
            if (column.name().equals(IcebergLayout.BUCKET_COLUMN)) {
                fields.add(
                        new Field(
                                column.name(),
                                descriptor,
                                -1,
                                (out, row, index) -> out.write(bucket, 0, 0)));
                continue;
            }
            int index = table.indexOf(column.name());
            Column ours = table.columns().get(index);
            fields.add(field(column.name(), descriptor, index, column.fieldId(), ours.type()));
        }
        return new RowViewWriter(fields.toArray(new Field[0]));
    }

    private static Field field(
            String name, ColumnDescriptor descriptor, int index, int fieldId, DataType type) {
        return switch (type.root()) {
            case FLOAT -> new FloatField(name, descriptor, index, fieldId);
            case DOUBLE -> new DoubleField(name, descriptor, index, fieldId);
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INT,
                    BIGINT,
                    CHAR,
                    STRING,
                    BINARY,
                    BYTES,
                    DECIMAL,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_LTZ ->
                    new Field(
                            name,
                            descriptor,
                            index,
                            exact(type, descriptor.getMaxDefinitionLevel()));
        };
    }

    private static ValueWriter exact(DataType type, int level) {
        return switch (type.root()) {
            case BOOLEAN -> (out, row, i) -> out.write(row.booleanAt(i), 0, level);
            case TINYINT -> (out, row, i) -> out.write((int) row.byteAt(i), 0, level);
            case SMALLINT -> (out, row, i) -> out.write((int) row.shortAt(i), 0, level);
            case INT, DATE -> (out, row, i) -> out.write(row.intAt(i), 0, level);
            case BIGINT -> (out, row, i) -> out.write(row.longAt(i), 0, level);
            case CHAR, STRING, BINARY, BYTES ->
                    (out, row, i) ->
                            out.write(Binary.fromReusedByteArray(row.bytesAt(i)), 0, level);
            case DECIMAL -> decimal(type, level);
            case TIME -> (out, row, i) -> out.write(row.intAt(i) * 1000L, 0, level);
            case TIMESTAMP, TIMESTAMP_LTZ ->
                    (out, row, i) -> out.write(IcebergTypes.micros(row, i), 0, level);
            case FLOAT, DOUBLE ->
                    throw new IllegalStateException(type + " is counted while it is written");
        };
    }

    private static ValueWriter decimal(DataType type, int level) {
        if (type.length() <= 9) {
            return (out, row, i) -> out.write((int) row.longAt(i), 0, level);
        }
        if (type.length() <= 18) {
            return (out, row, i) -> out.write(row.longAt(i), 0, level);
        }
        int length = TypeUtil.decimalRequiredBytes(type.length());
        return (out, row, i) ->
                out.write(Binary.fromConstantByteArray(extend(row.bytesAt(i), length)), 0, level);
    }

    /** The same number in exactly {@code length} bytes. */
    private static byte[] extend(byte[] number, int length) {
        byte[] wide = new byte[length];
        int kept = Math.min(number.length, length);
        Arrays.fill(wide, 0, length - kept, (byte) (number[0] < 0 ? -1 : 0));
        System.arraycopy(number, number.length - kept, wide, length - kept, kept);
        return wide;
    }

    @Override
    public void write(int repetitionLevel, RowView row) {
        for (Field field : fields) {
            field.write(row);
        }
    }

    @Override
    public List<TripleWriter<?>> columns() {
        return List.of();
    }

    @Override
    public void setColumnStore(ColumnWriteStore store) {
        for (Field field : fields) {
            field.out = store.getColumnWriter(field.descriptor);
        }
    }

    /** Only floating point columns: Parquet's own statistics say nothing about their NaNs. */
    @Override
    public Stream<FieldMetrics<?>> metrics() {
        return Arrays.stream(fields).<FieldMetrics<?>>map(Field::metrics).filter(Objects::nonNull);
    }

    private interface ValueWriter {
        void write(ColumnWriter out, RowView row, int index);
    }

    private static class Field {
        private final String name;
        private final ColumnDescriptor descriptor;
        private final int index;
        private final ValueWriter value;
        private ColumnWriter out;
        private long nulls;

        Field(String name, ColumnDescriptor descriptor, int index, ValueWriter value) {
            this.name = name;
            this.descriptor = descriptor;
            this.index = index;
            this.value = value;
        }

        void write(RowView row) {
            if (index >= 0 && row.isNullAt(index)) {
                if (descriptor.getMaxDefinitionLevel() == 0) {
                    throw new StorageException(
                            ErrorCode.SCHEMA_MISMATCH,
                            "column "
                                    + name
                                    + " is NOT NULL in the lake table, and a row of the log has"
                                    + " NULL in it");
                }
                nulls++;
                out.writeNull(0, 0);
            } else {
                value.write(out, row, index);
            }
        }

        FieldMetrics<?> metrics() {
            return null;
        }

        <T> FieldMetrics<T> withNulls(FieldMetrics<T> counted) {
            return new FieldMetrics<>(
                    counted.id(),
                    counted.valueCount() + nulls,
                    nulls,
                    counted.nanValueCount(),
                    counted.lowerBound(),
                    counted.upperBound(),
                    counted.originalType());
        }
    }

    private static final class FloatField extends Field {
        private final FloatFieldMetrics.Builder counted;

        FloatField(String name, ColumnDescriptor descriptor, int index, int fieldId) {
            this(name, descriptor, index, new FloatFieldMetrics.Builder(fieldId));
        }

        private FloatField(
                String name,
                ColumnDescriptor descriptor,
                int index,
                FloatFieldMetrics.Builder counted) {
            super(
                    name,
                    descriptor,
                    index,
                    (out, row, i) -> {
                        float value = row.floatAt(i);
                        counted.addValue(value);
                        out.write(value, 0, descriptor.getMaxDefinitionLevel());
                    });
            this.counted = counted;
        }

        @Override
        FieldMetrics<?> metrics() {
            return withNulls(counted.build());
        }
    }

    private static final class DoubleField extends Field {
        private final DoubleFieldMetrics.Builder counted;

        DoubleField(String name, ColumnDescriptor descriptor, int index, int fieldId) {
            this(name, descriptor, index, new DoubleFieldMetrics.Builder(fieldId));
        }

        private DoubleField(
                String name,
                ColumnDescriptor descriptor,
                int index,
                DoubleFieldMetrics.Builder counted) {
            super(
                    name,
                    descriptor,
                    index,
                    (out, row, i) -> {
                        double value = row.doubleAt(i);
                        counted.addValue(value);
                        out.write(value, 0, descriptor.getMaxDefinitionLevel());
                    });
            this.counted = counted;
        }

        @Override
        FieldMetrics<?> metrics() {
            return withNulls(counted.build());
        }
    }
}
