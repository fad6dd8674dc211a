package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.math.BigInteger;

/**
 * Chooses a row's bucket. With one bucket-key column of a type that Iceberg can bucket it is
 * exactly Iceberg's bucket transform, so lake and service agree; otherwise the same hash over the
 * key form ({@link KeyCodec}) of the columns. Any thread may use it.
 */
public final class BucketHash {
    private final KeyCodec keyCodec;
    private final DataType singleType;
    private final FieldForm singleForm;
    private final int singleIndex;
    private final int bucketCount;

    /**
     * @param fieldIndexes positions of the bucket-key columns in the schema, in order; 1 or more
     */
    public BucketHash(Schema schema, int[] fieldIndexes, int bucketCount) {
        if (fieldIndexes.length == 0 || bucketCount < 1) {
            throw new IllegalArgumentException(
                    "bucketing takes 1 column or more and 1 bucket or more, not "
                            + fieldIndexes.length
                            + " and "
                            + bucketCount);
        }
        keyCodec = new KeyCodec(schema, fieldIndexes);
        singleIndex = fieldIndexes[0];
        DataType type = schema.columns().get(singleIndex).type();
        singleType = fieldIndexes.length == 1 && icebergBuckets(type) ? type : null;
        singleForm = FieldForm.of(type);
        this.bucketCount = bucketCount;
    }

    /** Whether Iceberg's bucket transform is defined for the type. */
    public static boolean icebergBuckets(DataType type) {
        return switch (type.root()) {
            case BOOLEAN, FLOAT, DOUBLE -> false;
            case TINYINT,
                    SMALLINT,
                    INT,
                    BIGINT,
                    CHAR,
                    STRING,
                    BINARY,
                    BYTES,
                    DECIMAL,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_LTZ ->
                    true;
        };
    }

    /**
     * The bucket of a row with all columns of the schema.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException NULL_IN_KEY
     */
    public int bucket(RowView row) {
        return bucketOfHash(
                singleType != null && !row.isNullAt(singleIndex)
                        ? hashOne(row, singleIndex)
                        : hash(keyCodec.encode(row)));
    }

    /**
     * The bucket of a row that holds just the bucket-key fields, in order.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException NULL_IN_KEY
     */
    public int bucketOfKeyRow(RowView keyRow) {
        return bucketOfHash(
                singleType != null && !keyRow.isNullAt(0)
                        ? hashOne(keyRow, 0)
                        : hash(keyCodec.encodeKeyRow(keyRow)));
    }

    private int bucketOfHash(int hash) {
        return (hash & Integer.MAX_VALUE) % bucketCount;
    }

    private int hashOne(RowView row, int index) {
        return switch (singleForm) {
            case BYTE -> hash(row.byteAt(index));
            case SHORT -> hash(row.shortAt(index));
            case INT ->
                    hash(
                            singleType.root() == TypeRoot.TIME
                                    ? row.intAt(index) * 1000L
                                    : row.intAt(index));
            case LONG -> hash(row.longAt(index));
            case MILLIS, MILLIS_AND_NANOS ->
                    hash(row.longAt(index) * 1000 + row.nanosOfMilliAt(index) / 1000);
            case SMALL_DECIMAL -> hash(BigInteger.valueOf(row.longAt(index)).toByteArray());
            case LARGE_DECIMAL -> hash(new BigInteger(row.bytesAt(index)).toByteArray());
            case BYTES -> hash(row.bytesAt(index));
            case BOOLEAN, FLOAT, DOUBLE -> throw new IllegalStateException(singleForm.toString());
        };
    }

    /** Murmur3, 32 bits, seed 0, of the value's eight bytes, little-endian. */
    static int hash(long value) {
        return finish(mix(mix(0, (int) value), (int) (value >>> 32)), 8);
    }

    /** Murmur3, 32 bits, seed 0. */
    static int hash(byte[] bytes) {
        int hash = 0;
        int whole = bytes.length & ~3;
        for (int i = 0; i < whole; i += 4) {
            hash = mix(hash, (int) RowCodec.INT.get(bytes, i));
        }
        int tail = 0;
        for (int i = bytes.length - 1; i >= whole; i--) {
            tail = tail << 8 | (bytes[i] & 0xFF);
        }
        return finish(hash ^ scramble(tail), bytes.length);
    }

    private static int scramble(int block) {
        return Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
    }

    private static int mix(int hash, int block) {
        return Integer.rotateLeft(hash ^ scramble(block), 13) * 5 + 0xe6546b64;
    }

    private static int finish(int hash, int length) {
        int mixed = hash ^ length;
        mixed = (mixed ^ mixed >>> 16) * 0x85ebca6b;
        mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
        return mixed ^ mixed >>> 16;
    }
}
