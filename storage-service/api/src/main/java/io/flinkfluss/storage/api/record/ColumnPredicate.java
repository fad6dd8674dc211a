package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.Column;
import java.util.Arrays;
import java.util.List;

/**
 * What a reader wants of one column. NULL satisfies {@link Operator#IS_NULL} and nothing else.
 *
 * @param columnId the column
 * @param values in {@link KeyCodec}'s form of the column's type: one or more for {@link
 *     Operator#IN}, none for the operators about NULL, one for the others
 */
public record ColumnPredicate(int columnId, Operator operator, List<byte[]> values) {
    /** The position is the number on the wire. */
    public enum Operator {
        /** Equal to one of the values. */
        IN,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL,
        IS_NULL,
        IS_NOT_NULL;

        private boolean takes(int values) {
            return switch (this) {
                case IN -> values >= 1;
                case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> values == 1;
                case IS_NULL, IS_NOT_NULL -> values == 0;
            };
        }
    }

    public ColumnPredicate {
        values = List.copyOf(values);
        if (!operator.takes(values.size())) {
            throw new IllegalArgumentException(
                    operator
                            + " was given "
                            + values.size()
                            + " values; IN takes one or more, IS_NULL and IS_NOT_NULL take none,"
                            + " the others one");
        }
    }

    /**
     * @param values as in {@link GenericRow}, each one that the column can hold; NaN and NULL
     *     compare with nothing, so they are none
     */
    public static ColumnPredicate of(Column column, Operator operator, Object... values) {
        GenericRow row = GenericRow.of(values);
        byte[][] forms = new byte[values.length][];
        for (int i = 0; i < forms.length; i++) {
            forms[i] = KeyCodec.encodeValue(column.type(), row, i);
        }
        return new ColumnPredicate(column.id(), operator, List.of(forms));
    }

    /** Whether one of so many rows may satisfy it; true whenever the statistics do not say no. */
    boolean mayHold(ColumnStatistics statistics, int rowCount) {
        boolean anyValue = statistics.nullCount() != rowCount;
        byte[] min = statistics.min();
        byte[] max = statistics.max();
        boolean unknown = min == null || max == null;
        return switch (operator) {
            case IN -> anyValue && (unknown || values.stream().anyMatch(v -> within(v, min, max)));
            case LESS -> anyValue && (unknown || order(min, value()) < 0);
            case LESS_OR_EQUAL -> anyValue && (unknown || order(min, value()) <= 0);
            case GREATER -> anyValue && (unknown || order(max, value()) > 0);
            case GREATER_OR_EQUAL -> anyValue && (unknown || order(max, value()) >= 0);
            case IS_NULL -> statistics.nullCount() != 0;
            case IS_NOT_NULL -> anyValue;
        };
    }

    private byte[] value() {
        return values.get(0);
    }

    private static boolean within(byte[] value, byte[] min, byte[] max) {
        return order(min, value) <= 0 && order(value, max) <= 0;
    }

    private static int order(byte[] left, byte[] right) {
        return Arrays.compareUnsigned(left, right);
    }
}
