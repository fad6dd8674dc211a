package io.flinkfluss.storage.api.record;

/** Names an offset of a bucket's log. */
public sealed interface OffsetSpec {
    /** The first offset that still exists. */
    record Earliest() implements OffsetSpec {}

    /** The offset that the next row will get. */
    record Latest() implements OffsetSpec {}

    /**
     * The first offset whose row was committed at or after this time (milliseconds since 1970-01-01
     * UTC); the end when none.
     */
    record AtTime(long millis) implements OffsetSpec {}
}
