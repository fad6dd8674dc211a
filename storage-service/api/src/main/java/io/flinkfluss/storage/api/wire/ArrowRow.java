package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.record.RowView;
import java.math.BigInteger;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** A movable view of one row of vectors; valid as long as they are. */
public final class ArrowRow implements RowView {
    private static final int DECIMAL_BYTES = 16;
    private static final int MAX_SMALL_PRECISION = 18;

    private final FieldVector[] vectors;

    /** Per TIMESTAMP column its units in a millisecond, otherwise 0. */
    private final int[] unitsPerMilli;

    private int row;

    ArrowRow(VectorSchemaRoot root) {
        List<FieldVector> fields = root.getFieldVectors();
        vectors = fields.toArray(FieldVector[]::new);
        unitsPerMilli = new int[vectors.length];
        for (int i = 0; i < vectors.length; i++) {
            if (vectors[i].getField().getType() instanceof ArrowType.Timestamp timestamp) {
                unitsPerMilli[i] = unitsPerMilli(timestamp.getUnit());
            }
        }
    }

    private static int unitsPerMilli(TimeUnit unit) {
        return switch (unit) {
            case MILLISECOND -> 1;
            case MICROSECOND -> 1_000;
            case NANOSECOND -> 1_000_000;
            case SECOND -> throw new IllegalArgumentException("seconds are not used");
        };
    }

    /** Moves to a row of the current vectors. */
    public ArrowRow setRow(int value) {
        row = value;
        return this;
    }

    @Override
    public boolean isNullAt(int index) {
        return vectors[index].isNull(row);
    }

    @Override
    public boolean booleanAt(int index) {
        return ((BitVector) vectors[index]).get(row) != 0;
    }

    @Override
    public byte byteAt(int index) {
        return values(index).getByte(row);
    }

    @Override
    public short shortAt(int index) {
        return values(index).getShort(2L * row);
    }

    @Override
    public int intAt(int index) {
        return values(index).getInt(4L * row);
    }

    @Override
    public long longAt(int index) {
        FieldVector vector = vectors[index];
        if (vector instanceof DecimalVector) {
            return vector.getDataBuffer().getLong((long) DECIMAL_BYTES * row);
        }
        long value = vector.getDataBuffer().getLong(8L * row);
        return vector instanceof TimeStampVector
                ? Math.floorDiv(value, unitsPerMilli[index])
                : value;
    }

    @Override
    public float floatAt(int index) {
        return values(index).getFloat(4L * row);
    }

    @Override
    public double doubleAt(int index) {
        return values(index).getDouble(8L * row);
    }

    @Override
    public byte[] bytesAt(int index) {
        FieldVector vector = vectors[index];
        if (vector instanceof BaseVariableWidthVector variable) {
            ArrowBuf offsets = variable.getOffsetBuffer();
            int start = offsets.getInt(4L * row);
            byte[] bytes = new byte[offsets.getInt(4L * (row + 1)) - start];
            variable.getDataBuffer().getBytes(start, bytes);
            return bytes;
        }
        DecimalVector decimals = (DecimalVector) vector;
        if (decimals.getPrecision() <= MAX_SMALL_PRECISION) {
            return BigInteger.valueOf(longAt(index)).toByteArray();
        }
        byte[] bigEndian = new byte[DECIMAL_BYTES];
        ArrowBuf values = decimals.getDataBuffer();
        long last = (long) DECIMAL_BYTES * (row + 1) - 1;
        for (int i = 0; i < DECIMAL_BYTES; i++) {
            bigEndian[i] = values.getByte(last - i);
        }
        return bigEndian;
    }

    @Override
    public int nanosOfMilliAt(int index) {
        int units = unitsPerMilli[index];
        return units <= 1
                ? 0
                : (int) Math.floorMod(values(index).getLong(8L * row), (long) units)
                        * (1_000_000 / units);
    }

    private ArrowBuf values(int index) {
        return ((BaseFixedWidthVector) vectors[index]).getDataBuffer();
    }
}
