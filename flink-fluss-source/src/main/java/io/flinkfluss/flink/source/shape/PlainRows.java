package io.flinkfluss.flink.source.shape;

import io.flinkfluss.flink.row.ArrowRows;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.apache.flink.types.RowKind;

/** One reused columnar row over the vectors. */
final class PlainRows implements ShapedRows {
    private final ColumnarRowData row;
    private BatchHead head = BatchHead.STATE;
    private boolean onlyInserts = true;

    PlainRows(ArrowRows arrow) {
        row = arrow.newRow();
    }

    @Override
    public void begin(BatchHead next) {
        head = next;
        onlyInserts = next.onlyInserts();
        row.setRowKind(RowKind.INSERT);
    }

    @Override
    public RowData row(int index, OpenUpdate open) {
        row.setRowId(index);
        if (!onlyInserts) {
            row.setRowKind(head.rowKind(index));
        }
        return row;
    }
}
