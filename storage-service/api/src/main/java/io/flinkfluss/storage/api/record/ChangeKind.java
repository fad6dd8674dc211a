package io.flinkfluss.storage.api.record;

/**
 * What a row of a log means; the number is stored (one byte a row) and never changes. Rows of log
 * tables are INSERT.
 */
public enum ChangeKind {
    INSERT((byte) 0),
    UPDATE_BEFORE((byte) 1),
    UPDATE_AFTER((byte) 2),
    DELETE((byte) 3);

    private static final ChangeKind[] BY_NUMBER = values();

    private final byte number;

    ChangeKind(byte number) {
        this.number = number;
    }

    public byte number() {
        return number;
    }

    public static ChangeKind of(byte number) {
        if (number < 0 || number >= BY_NUMBER.length) {
            throw new IllegalArgumentException(
                    "change kind " + number + " is unknown; 0 to 3 are allowed");
        }
        return BY_NUMBER[number];
    }
}
