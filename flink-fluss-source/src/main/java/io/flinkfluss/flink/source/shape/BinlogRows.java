package io.flinkfluss.flink.source.shape;

import io.flinkfluss.flink.row.ArrowRows;
import io.flinkfluss.flink.type.FlinkTypes;
import io.flinkfluss.storage.api.table.Column;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.apache.flink.types.RowKind;

/**
 * Joins the old and the new row of an update, which may lie in different batches. An update carries
 * the offset and the time of its old row. A new row whose old row is no longer in the log gives an
 * update with an unknown (NULL) {@code before}.
 */
final class BinlogRows implements ShapedRows {
    private static final StringData INSERT = StringData.fromString("insert");
    private static final StringData UPDATE = StringData.fromString("update");
    private static final StringData DELETE = StringData.fromString("delete");

    private final ColumnarRowData current;
    private final RowData.FieldGetter[] getters;
    private final int[] projection;
    private BatchHead head = BatchHead.STATE;

    BinlogRows(ArrowRows arrow, List<Column> columns, int[] projection) {
        this.current = arrow.newRow();
        this.projection = projection;
        this.getters = new RowData.FieldGetter[columns.size()];
        for (int i = 0; i < getters.length; i++) {
            getters[i] = RowData.createFieldGetter(FlinkTypes.toFlink(columns.get(i).type()), i);
        }
    }

    @Override
    public void begin(BatchHead next) {
        head = next;
    }

    @Override
    public RowData row(int index, OpenUpdate open) {
        current.setRowId(index);
        long offset = head.offset(index);
        long millis = head.commitMillis();
        switch (head.kind(index)) {
            case INSERT -> {
                return change(INSERT, offset, millis, null, copy());
            }
            case DELETE -> {
                return change(DELETE, offset, millis, copy(), null);
            }
            case UPDATE_BEFORE -> {
                open.open(offset, millis, copy());
                return null;
            }
            case UPDATE_AFTER -> {
                RowData update =
                        open.isOpen()
                                ? change(
                                        UPDATE,
                                        open.offset(),
                                        open.commitMillis(),
                                        open.before(),
                                        copy())
                                : change(UPDATE, offset, millis, null, copy());
                open.close();
                return update;
            }
        }
        throw new IllegalStateException("unknown change kind " + head.kind(index));
    }

    private RowData change(
            StringData type, long offset, long millis, RowData before, RowData after) {
        GenericRowData row = new GenericRowData(RowKind.INSERT, projection.length);
        for (int i = 0; i < projection.length; i++) {
            row.setField(
                    i,
                    switch (projection[i]) {
                        case 0 -> type;
                        case 1 -> offset;
                        case 2 -> TimestampData.fromEpochMillis(millis);
                        case 3 -> before;
                        default -> after;
                    });
        }
        return row;
    }

    private RowData copy() {
        GenericRowData copy = new GenericRowData(RowKind.INSERT, getters.length);
        for (int i = 0; i < getters.length; i++) {
            copy.setField(i, getters[i].getFieldOrNull(current));
        }
        return copy;
    }
}
