package io.flinkfluss.storage.api.record;

import java.util.Arrays;

/**
 * Bounds of one column within one batch.
 *
 * @param columnId the column
 * @param nullCount number of NULLs
 * @param min lower bound in {@link KeyCodec}'s order-preserving form, so bounds compare as unsigned
 *     bytes; null when every value is NULL or the column has no order
 * @param max upper bound, likewise; may be larger than the largest value (long strings are cut)
 */
public record ColumnStatistics(int columnId, int nullCount, byte[] min, byte[] max) {
    @Override
    public boolean equals(Object other) {
        return other instanceof ColumnStatistics that
                && columnId == that.columnId
                && nullCount == that.nullCount
                && Arrays.equals(min, that.min)
                && Arrays.equals(max, that.max);
    }

    @Override
    public int hashCode() {
        return 31 * columnId + nullCount + Arrays.hashCode(min) + 31 * Arrays.hashCode(max);
    }
}
