package io.flinkfluss.flink.source.shape;

import io.flinkfluss.flink.row.ArrowRows;
import io.flinkfluss.flink.type.FlinkTypes;
import io.flinkfluss.storage.api.table.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * How the rows of a log become rows of a query. A projection lists positions in {@link #rowType} in
 * the wanted order; null is all of them.
 */
public sealed interface RowShape extends Serializable {
    /** Number of columns before the table's own ones in {@link Changelog} and {@link Binlog}. */
    int METADATA_COLUMNS = 3;

    String CHANGE_TYPE = "_change_type";
    String LOG_OFFSET = "_log_offset";
    String COMMIT_TIMESTAMP = "_commit_timestamp";
    String BEFORE = "before";
    String AFTER = "after";

    /** The row type without a projection. */
    RowType rowType(Schema schema);

    /** Which columns of the table must be read, in the order that {@link #rows} expects. */
    int[] scannedColumns(Schema schema, int[] projection);

    /** Rows over vectors that hold {@link #scannedColumns}. */
    ShapedRows rows(Schema schema, int[] projection, ArrowRows arrow);

    /** The row type with a projection. */
    default RowType rowType(Schema schema, int[] projection) {
        RowType all = rowType(schema);
        if (projection == null) {
            return all;
        }
        return new RowType(
                false, Arrays.stream(projection).mapToObj(all.getFields()::get).toList());
    }

    /** The table's columns; the row kind says what happened. */
    record Plain() implements RowShape {
        @Override
        public RowType rowType(Schema schema) {
            return FlinkTypes.toFlink(schema);
        }

        @Override
        public int[] scannedColumns(Schema schema, int[] projection) {
            return projection == null ? allColumns(schema) : projection.clone();
        }

        @Override
        public ShapedRows rows(Schema schema, int[] projection, ArrowRows arrow) {
            return new PlainRows(arrow);
        }
    }

    /** {@code t$changelog}: three metadata columns, then the table's; every row is an insert. */
    record Changelog() implements RowShape {
        @Override
        public RowType rowType(Schema schema) {
            List<RowType.RowField> fields = metadataFields();
            fields.addAll(FlinkTypes.toFlink(schema).getFields());
            return new RowType(false, fields);
        }

        @Override
        public int[] scannedColumns(Schema schema, int[] projection) {
            return projection == null
                    ? allColumns(schema)
                    : Arrays.stream(projection)
                            .filter(column -> column >= METADATA_COLUMNS)
                            .map(column -> column - METADATA_COLUMNS)
                            .toArray();
        }

        @Override
        public ShapedRows rows(Schema schema, int[] projection, ArrowRows arrow) {
            int columns = METADATA_COLUMNS + schema.columns().size();
            return new ChangelogRows(arrow, projection == null ? upTo(columns) : projection);
        }
    }

    /** {@code t$binlog}: three metadata columns, then the old and the new row as ROW values. */
    record Binlog() implements RowShape {
        @Override
        public RowType rowType(Schema schema) {
            List<RowType.RowField> fields = metadataFields();
            RowType row = (RowType) FlinkTypes.toFlink(schema).copy(true);
            fields.add(new RowType.RowField(BEFORE, row));
            fields.add(new RowType.RowField(AFTER, row));
            return new RowType(false, fields);
        }

        @Override
        public int[] scannedColumns(Schema schema, int[] projection) {
            boolean wantsRows =
                    projection == null
                            || Arrays.stream(projection)
                                    .anyMatch(column -> column >= METADATA_COLUMNS);
            return wantsRows ? allColumns(schema) : new int[0];
        }

        @Override
        public ShapedRows rows(Schema schema, int[] projection, ArrowRows arrow) {
            int[] scanned = scannedColumns(schema, projection);
            return new BinlogRows(
                    arrow,
                    Arrays.stream(scanned).mapToObj(schema.columns()::get).toList(),
                    projection == null ? upTo(METADATA_COLUMNS + 2) : projection);
        }
    }

    private static List<RowType.RowField> metadataFields() {
        List<RowType.RowField> fields = new ArrayList<>();
        fields.add(
                new RowType.RowField(CHANGE_TYPE, new VarCharType(false, VarCharType.MAX_LENGTH)));
        fields.add(new RowType.RowField(LOG_OFFSET, new BigIntType(false)));
        fields.add(new RowType.RowField(COMMIT_TIMESTAMP, new LocalZonedTimestampType(false, 3)));
        return fields;
    }

    private static int[] allColumns(Schema schema) {
        return upTo(schema.columns().size());
    }

    private static int[] upTo(int end) {
        return IntStream.range(0, end).toArray();
    }
}
