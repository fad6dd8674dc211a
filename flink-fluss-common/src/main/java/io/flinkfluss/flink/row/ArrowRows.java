package io.flinkfluss.flink.row;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;

/**
 * The vectors of one Arrow root as Flink columns, without a copy of fixed-width values and with one
 * copy per batch of a variable-width column (so strings stay valid after the batch). The root may
 * be loaded again and again: call {@link #loaded} each time. Used by one thread at a time.
 */
public final class ArrowRows {
    private final VectorSchemaRoot root;
    private final ArrowColumn[] columns;

    public ArrowRows(VectorSchemaRoot root) {
        this.root = root;
        List<ArrowColumn> wrapped = new ArrayList<>();
        for (FieldVector vector : root.getFieldVectors()) {
            wrapped.add(ArrowColumn.of(vector));
        }
        this.columns = wrapped.toArray(new ArrowColumn[0]);
    }

    /** Must be called after each load of the root. */
    public void loaded() {
        for (ArrowColumn column : columns) {
            column.loaded();
        }
    }

    public int rowCount() {
        return root.getRowCount();
    }

    /** The columns in the root's order, for callers that compose them with others. */
    public ColumnVector[] columns() {
        return columns.clone();
    }

    /** A new cursor over the columns; position it by {@link ColumnarRowData#setRowId}. */
    public ColumnarRowData newRow() {
        return new ColumnarRowData(new VectorizedColumnBatch(columns()));
    }
}
