package io.flinkfluss.flink.source;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/** Writes rows as text, such as {@code +I[1, a]}; nested rows and bytes included. */
public final class RowText implements Serializable {
    private static final long serialVersionUID = 1L;

    private final RowType type;

    public RowText(RowType type) {
        this.type = type;
    }

    public String of(RowData row) {
        return row.getRowKind().shortString() + fields(type, row);
    }

    private static List<String> fields(RowType type, RowData row) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < type.getFieldCount(); i++) {
            Object value = RowData.createFieldGetter(type.getTypeAt(i), i).getFieldOrNull(row);
            if (value instanceof RowData nested) {
                fields.add(fields((RowType) type.getTypeAt(i), nested).toString());
            } else if (value instanceof byte[] bytes) {
                fields.add(Arrays.toString(bytes));
            } else {
                fields.add(String.valueOf(value));
            }
        }
        return fields;
    }
}
