package io.flinkfluss.storage.api.table;

/** The kinds of scalar values a column can hold; the number is stored and never changes. */
public enum TypeRoot {
    BOOLEAN(1),
    TINYINT(2),
    SMALLINT(3),
    INT(4),
    BIGINT(5),
    FLOAT(6),
    DOUBLE(7),
    CHAR(8),
    STRING(9),
    BINARY(10),
    BYTES(11),
    DECIMAL(12),
    DATE(13),
    TIME(14),
    TIMESTAMP(15),
    TIMESTAMP_LTZ(16);

    private final int number;

    TypeRoot(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    public static TypeRoot of(int number) {
        for (TypeRoot root : values()) {
            if (root.number == number) {
                return root;
            }
        }
        throw new IllegalArgumentException(
                "type number " + number + " is unknown; this version knows 1 to 16");
    }
}
