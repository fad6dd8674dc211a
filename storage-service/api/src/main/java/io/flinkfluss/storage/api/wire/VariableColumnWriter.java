package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;

/** Text and bytes: an offsets buffer (rows + 1 ints) and a data buffer. */
final class VariableColumnWriter extends ColumnWriter {
    private byte[] offsets = new byte[1024];
    private byte[] data = new byte[4096];

    VariableColumnWriter(Column column, int index) {
        super(column, index);
    }

    @Override
    void writeValue(RowView row, int at) {
        byte[] value = row.bytesAt(index);
        int start = offset(at);
        int end = Math.addExact(start, value.length);
        data = grown(data, end);
        System.arraycopy(value, 0, data, start, value.length);
        setOffset(at + 1, end);
        bounds.addBytes(value);
    }

    @Override
    void writeNull(int at) {
        setOffset(at + 1, offset(at));
    }

    @Override
    long valueBytes(int rows) {
        return 4L * rows + offset(rows);
    }

    @Override
    void addValues(ArrowBody body, int rows) {
        body.add(offsets, 4 * (rows + 1));
        body.add(data, offset(rows));
    }

    private int offset(int at) {
        return at == 0 ? 0 : (int) FixedColumnWriter.INT.get(offsets, 4 * at);
    }

    private void setOffset(int at, int value) {
        offsets = grown(offsets, 4 * (at + 1));
        FixedColumnWriter.INT.set(offsets, 4 * at, value);
    }
}
