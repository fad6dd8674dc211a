package io.flinkfluss.storage.api.table;

/**
 * A column's type.
 *
 * @param root the kind of value
 * @param length CHAR and BINARY: length; DECIMAL: precision (1 to 38); TIME, TIMESTAMP,
 *     TIMESTAMP_LTZ: fractional digits (0 to 9); otherwise 0
 * @param scale DECIMAL: digits after the point (0 to precision); otherwise 0
 * @param nullable whether NULL is allowed
 */
public record DataType(TypeRoot root, int length, int scale, boolean nullable) {
    public DataType {
        int lowest;
        int highest;
        switch (root) {
            case CHAR, BINARY -> {
                lowest = 1;
                highest = Integer.MAX_VALUE;
            }
            case DECIMAL -> {
                lowest = 1;
                highest = 38;
            }
            case TIME, TIMESTAMP, TIMESTAMP_LTZ -> {
                lowest = 0;
                highest = 9;
            }
            default -> {
                lowest = 0;
                highest = 0;
            }
        }
        if (length < lowest || length > highest) {
            throw new IllegalArgumentException(
                    root + " takes a length from " + lowest + " to " + highest + ", not " + length);
        }
        if (scale < 0 || scale > (root == TypeRoot.DECIMAL ? length : 0)) {
            throw new IllegalArgumentException(
                    root + "(" + length + ") does not take the scale " + scale);
        }
    }

    public static DataType of(TypeRoot root) {
        return new DataType(root, 0, 0, true);
    }

    public static DataType of(TypeRoot root, int length) {
        return new DataType(root, length, 0, true);
    }

    public static DataType decimal(int precision, int scale) {
        return new DataType(TypeRoot.DECIMAL, precision, scale, true);
    }

    public DataType notNull() {
        return new DataType(root, length, scale, false);
    }

    public DataType withNullable(boolean value) {
        return new DataType(root, length, scale, value);
    }

    /** As a user would write it in DDL, for example {@code DECIMAL(10, 2) NOT NULL}. */
    @Override
    public String toString() {
        String text =
                switch (root) {
                    case CHAR, BINARY, TIME, TIMESTAMP, TIMESTAMP_LTZ -> root + "(" + length + ")";
                    case DECIMAL -> "DECIMAL(" + length + ", " + scale + ")";
                    default -> root.toString();
                };
        return nullable ? text : text + " NOT NULL";
    }
}
