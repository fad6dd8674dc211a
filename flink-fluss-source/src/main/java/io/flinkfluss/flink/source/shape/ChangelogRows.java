package io.flinkfluss.flink.source.shape;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flinkfluss.flink.row.ArrowRows;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.columnar.ColumnarRowData;
import org.apache.flink.table.data.columnar.vector.BytesColumnVector;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.LongColumnVector;
import org.apache.flink.table.data.columnar.vector.TimestampColumnVector;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;

/** The metadata columns are computed vectors in front of the Arrow ones: no object per row. */
final class ChangelogRows implements ShapedRows {
    private static final BytesColumnVector.Bytes[] CHANGE_TYPES = {
        bytes("insert"), bytes("update_before"), bytes("update_after"), bytes("delete")
    };

    private final ColumnarRowData row;
    private BatchHead head = BatchHead.STATE;
    private TimestampData commitTime;

    ChangelogRows(ArrowRows arrow, int[] projection) {
        ColumnVector[] data = arrow.columns();
        ColumnVector[] wanted = new ColumnVector[projection.length];
        int next = 0;
        for (int i = 0; i < projection.length; i++) {
            wanted[i] =
                    switch (projection[i]) {
                        case 0 -> new ChangeTypes();
                        case 1 -> new Offsets();
                        case 2 -> new CommitTimes();
                        default -> data[next++];
                    };
        }
        row = new ColumnarRowData(new VectorizedColumnBatch(wanted));
    }

    @Override
    public void begin(BatchHead next) {
        head = next;
        commitTime = TimestampData.fromEpochMillis(next.commitMillis());
    }

    @Override
    public RowData row(int index, OpenUpdate open) {
        row.setRowId(index);
        return row;
    }

    private static BytesColumnVector.Bytes bytes(String text) {
        byte[] utf8 = text.getBytes(UTF_8);
        return new BytesColumnVector.Bytes(utf8, 0, utf8.length);
    }

    private final class ChangeTypes implements BytesColumnVector {
        @Override
        public Bytes getBytes(int index) {
            return CHANGE_TYPES[head.kind(index).number()];
        }

        @Override
        public boolean isNullAt(int index) {
            return false;
        }
    }

    private final class Offsets implements LongColumnVector {
        @Override
        public long getLong(int index) {
            return head.offset(index);
        }

        @Override
        public boolean isNullAt(int index) {
            return false;
        }
    }

    private final class CommitTimes implements TimestampColumnVector {
        @Override
        public TimestampData getTimestamp(int index, int precision) {
            return commitTime;
        }

        @Override
        public boolean isNullAt(int index) {
            return false;
        }
    }
}
