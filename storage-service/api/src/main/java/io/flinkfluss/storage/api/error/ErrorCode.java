package io.flinkfluss.storage.api.error;

/**
 * Every way in which the storage service can refuse or fail; the number is what travels on the wire
 * and never changes.
 */
public enum ErrorCode {
    INVALID_REQUEST(1, ErrorKind.USER),
    INVALID_NAME(2, ErrorKind.USER),
    INVALID_TABLE(3, ErrorKind.USER),
    UNKNOWN_OPTION(4, ErrorKind.USER),
    INVALID_OPTION(5, ErrorKind.USER),
    UNSUPPORTED(6, ErrorKind.USER),
    DATABASE_NOT_FOUND(7, ErrorKind.USER),
    DATABASE_ALREADY_EXISTS(8, ErrorKind.USER),
    DATABASE_NOT_EMPTY(9, ErrorKind.USER),
    TABLE_NOT_FOUND(10, ErrorKind.USER),
    TABLE_ALREADY_EXISTS(11, ErrorKind.USER),
    SCHEMA_MISMATCH(12, ErrorKind.USER),
    RECORD_TOO_LARGE(13, ErrorKind.USER),
    OFFSET_OUT_OF_RANGE(14, ErrorKind.USER),
    NULL_IN_KEY(15, ErrorKind.USER),
    SNAPSHOT_NOT_FOUND(16, ErrorKind.FENCED),
    NOT_LEADER(20, ErrorKind.MOVED),
    UNKNOWN_WRITER(21, ErrorKind.FENCED),
    STALE_LAKE_PROGRESS(22, ErrorKind.FENCED),
    OUT_OF_ORDER_SEQUENCE(30, ErrorKind.RETRIABLE),
    BUSY(31, ErrorKind.RETRIABLE),
    DISK_FULL(32, ErrorKind.RETRIABLE),
    NOT_READY(33, ErrorKind.RETRIABLE),
    UNREACHABLE(34, ErrorKind.RETRIABLE),
    CORRUPT_DATA(40, ErrorKind.INTERNAL),
    INTERNAL(41, ErrorKind.INTERNAL),
    INCOMPATIBLE_VERSION(42, ErrorKind.USER),
    DATA_DIRECTORY_IN_USE(43, ErrorKind.USER),
    PORT_IN_USE(44, ErrorKind.USER),
    CLOSED(45, ErrorKind.USER),
    TIMEOUT(50, ErrorKind.OUTCOME_UNKNOWN);

    private final int number;
    private final ErrorKind kind;

    ErrorCode(int number, ErrorKind kind) {
        this.number = number;
        this.kind = kind;
    }

    public int number() {
        return number;
    }

    public ErrorKind kind() {
        return kind;
    }

    /**
     * The code with this number; {@link #INTERNAL} for a number that a newer version introduced.
     */
    public static ErrorCode of(int number) {
        for (ErrorCode code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        return INTERNAL;
    }
}
