package io.flinkfluss.verify.check;

/**
 * One operation on one key.
 *
 * @param value the value written or read; 0 is no row
 * @param invoked moment before the request was sent
 * @param returned moment after the answer came; {@link #NEVER} when none came
 */
record RegisterOperation(Kind kind, long value, long invoked, long returned) {
    static final long NEVER = Long.MAX_VALUE;

    enum Kind {
        WRITE,
        READ
    }

    @Override
    public String toString() {
        return (kind == Kind.WRITE ? "write of " : "read of ")
                + Row.describeValue(value)
                + " ["
                + invoked
                + ", "
                + (returned == NEVER ? "no answer" : returned)
                + "]";
    }
}
