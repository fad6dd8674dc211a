package io.flinkfluss.flink.lookup;

import io.flinkfluss.storage.api.record.RowView;
import java.util.List;

/** Fields of another row in another order. */
final class KeyRow implements RowView {
    private final RowView row;
    private final int[] positions;

    KeyRow(RowView row, List<Integer> positions) {
        this.row = row;
        this.positions = positions.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public boolean isNullAt(int index) {
        return row.isNullAt(positions[index]);
    }

    @Override
    public boolean booleanAt(int index) {
        return row.booleanAt(positions[index]);
    }

    @Override
    public byte byteAt(int index) {
        return row.byteAt(positions[index]);
    }

    @Override
    public short shortAt(int index) {
        return row.shortAt(positions[index]);
    }

    @Override
    public int intAt(int index) {
        return row.intAt(positions[index]);
    }

    @Override
    public long longAt(int index) {
        return row.longAt(positions[index]);
    }

    @Override
    public float floatAt(int index) {
        return row.floatAt(positions[index]);
    }

    @Override
    public double doubleAt(int index) {
        return row.doubleAt(positions[index]);
    }

    @Override
    public byte[] bytesAt(int index) {
        return row.bytesAt(positions[index]);
    }

    @Override
    public int nanosOfMilliAt(int index) {
        return row.nanosOfMilliAt(positions[index]);
    }
}
