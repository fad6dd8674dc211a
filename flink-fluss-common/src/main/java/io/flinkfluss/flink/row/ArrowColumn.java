package io.flinkfluss.flink.row;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.Function;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.columnar.vector.BooleanColumnVector;
import org.apache.flink.table.data.columnar.vector.ByteColumnVector;
import org.apache.flink.table.data.columnar.vector.BytesColumnVector;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.DecimalColumnVector;
import org.apache.flink.table.data.columnar.vector.DoubleColumnVector;
import org.apache.flink.table.data.columnar.vector.FloatColumnVector;
import org.apache.flink.table.data.columnar.vector.IntColumnVector;
import org.apache.flink.table.data.columnar.vector.LongColumnVector;
import org.apache.flink.table.data.columnar.vector.ShortColumnVector;
import org.apache.flink.table.data.columnar.vector.TimestampColumnVector;

/**
 * One Arrow vector as a Flink column. Values of NULL positions are never asked for, so they are not
 * checked; the data buffer is looked up once per batch.
 */
abstract class ArrowColumn implements ColumnVector {
    final FieldVector vector;
    ArrowBuf data;
    private boolean hasNulls;

    ArrowColumn(FieldVector vector) {
        this.vector = vector;
        loaded();
    }

    static ArrowColumn of(FieldVector vector) {
        if (vector instanceof BaseVariableWidthVector variable) {
            return new Variable(variable);
        }
        if (vector instanceof TimeStampVector timestamp) {
            return new Timestamps(timestamp);
        }
        return fixedWidth(vector).apply(vector);
    }

    private static Function<FieldVector, ArrowColumn> fixedWidth(FieldVector vector) {
        if (vector instanceof BitVector) {
            return Booleans::new;
        } else if (vector instanceof TinyIntVector) {
            return Bytes8::new;
        } else if (vector instanceof SmallIntVector) {
            return Shorts::new;
        } else if (vector instanceof IntVector
                || vector instanceof DateDayVector
                || vector instanceof TimeMilliVector) {
            return Ints::new;
        } else if (vector instanceof BigIntVector) {
            return Longs::new;
        } else if (vector instanceof Float4Vector) {
            return Floats::new;
        } else if (vector instanceof Float8Vector) {
            return Doubles::new;
        } else if (vector instanceof DecimalVector) {
            return Decimals::new;
        }
        throw new IllegalArgumentException(
                "column "
                        + vector.getName()
                        + " came as the Arrow type "
                        + vector.getField().getType()
                        + ", which no column type maps to");
    }

    void loaded() {
        hasNulls = vector.getNullCount() > 0;
        data = vector.getDataBuffer();
    }

    @Override
    public boolean isNullAt(int row) {
        return hasNulls && vector.isNull(row);
    }

    private static final class Booleans extends ArrowColumn implements BooleanColumnVector {
        Booleans(FieldVector vector) {
            super(vector);
        }

        @Override
        public boolean getBoolean(int row) {
            return (data.getByte(row >> 3) & (1 << (row & 7))) != 0;
        }
    }

    private static final class Bytes8 extends ArrowColumn implements ByteColumnVector {
        Bytes8(FieldVector vector) {
            super(vector);
        }

        @Override
        public byte getByte(int row) {
            return data.getByte(row);
        }
    }

    private static final class Shorts extends ArrowColumn implements ShortColumnVector {
        Shorts(FieldVector vector) {
            super(vector);
        }

        @Override
        public short getShort(int row) {
            return data.getShort((long) row * Short.BYTES);
        }
    }

    private static final class Ints extends ArrowColumn implements IntColumnVector {
        Ints(FieldVector vector) {
            super(vector);
        }

        @Override
        public int getInt(int row) {
            return data.getInt((long) row * Integer.BYTES);
        }
    }

    private static final class Longs extends ArrowColumn implements LongColumnVector {
        Longs(FieldVector vector) {
            super(vector);
        }

        @Override
        public long getLong(int row) {
            return data.getLong((long) row * Long.BYTES);
        }
    }

    private static final class Floats extends ArrowColumn implements FloatColumnVector {
        Floats(FieldVector vector) {
            super(vector);
        }

        @Override
        public float getFloat(int row) {
            return data.getFloat((long) row * Float.BYTES);
        }
    }

    private static final class Doubles extends ArrowColumn implements DoubleColumnVector {
        Doubles(FieldVector vector) {
            super(vector);
        }

        @Override
        public double getDouble(int row) {
            return data.getDouble((long) row * Double.BYTES);
        }
    }

    private static final class Decimals extends ArrowColumn implements DecimalColumnVector {
        private static final int WIDTH = DecimalVector.TYPE_WIDTH;

        Decimals(FieldVector vector) {
            super(vector);
        }

        @Override
        public DecimalData getDecimal(int row, int precision, int scale) {
            long start = (long) row * WIDTH;
            if (DecimalData.isCompact(precision)) {
                return DecimalData.fromUnscaledLong(data.getLong(start), precision, scale);
            }
            byte[] bigEndian = new byte[WIDTH];
            for (int i = 0; i < WIDTH; i++) {
                bigEndian[i] = data.getByte(start + WIDTH - 1 - i);
            }
            BigDecimal value = new BigDecimal(new BigInteger(bigEndian), scale);
            return DecimalData.fromBigDecimal(value, precision, scale);
        }
    }

    private static final class Timestamps extends ArrowColumn implements TimestampColumnVector {
        private final long unitsPerMilli;
        private final int nanosPerUnit;
        private final boolean seconds;

        Timestamps(TimeStampVector vector) {
            super(vector);
            TimeUnit unit = ((ArrowType.Timestamp) vector.getField().getType()).getUnit();
            seconds = unit == TimeUnit.SECOND;
            unitsPerMilli =
                    switch (unit) {
                        case SECOND, MILLISECOND -> 1;
                        case MICROSECOND -> 1_000;
                        case NANOSECOND -> 1_000_000;
                    };
            nanosPerUnit = (int) (1_000_000 / unitsPerMilli);
        }

        @Override
        public TimestampData getTimestamp(int row, int precision) {
            long value = data.getLong((long) row * Long.BYTES);
            if (seconds) {
                return TimestampData.fromEpochMillis(Math.multiplyExact(value, 1_000L));
            }
            return TimestampData.fromEpochMillis(
                    Math.floorDiv(value, unitsPerMilli),
                    (int) Math.floorMod(value, unitsPerMilli) * nanosPerUnit);
        }
    }

    /** Strings and bytes: the values of a batch are copied to the heap at once, on first use. */
    private static final class Variable extends ArrowColumn implements BytesColumnVector {
        private static final int OFFSET_WIDTH = BaseVariableWidthVector.OFFSET_WIDTH;

        private ArrowBuf offsets;
        private byte[] heap;
        private int heapStart;

        Variable(BaseVariableWidthVector vector) {
            super(vector);
        }

        @Override
        void loaded() {
            super.loaded();
            offsets = vector.getOffsetBuffer();
            heap = null;
        }

        @Override
        public Bytes getBytes(int row) {
            if (heap == null) {
                heapStart = offsets.getInt(0);
                int end = offsets.getInt((long) vector.getValueCount() * OFFSET_WIDTH);
                heap = new byte[end - heapStart];
                data.getBytes(heapStart, heap);
            }
            int start = offsets.getInt((long) row * OFFSET_WIDTH);
            int end = offsets.getInt((long) (row + 1) * OFFSET_WIDTH);
            return new Bytes(heap, start - heapStart, end - start);
        }
    }
}
