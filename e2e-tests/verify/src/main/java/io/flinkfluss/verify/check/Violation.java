package io.flinkfluss.verify.check;

/** The ways in which a promise can be broken. */
public enum Violation {
    /** An acknowledged row is not there. */
    LOST,
    /** A row is there twice. */
    DUPLICATED,
    /** A writer's rows are not in the order in which it wrote them. */
    REORDERED,
    /** Lookups and writes of a key fit no order of single steps. */
    STALE,
    /** A row that nobody sent, or with other content than was sent. */
    INVENTED,
    /** Two reads, or a read and an acknowledgement, disagree on what is at an offset. */
    DIVERGED,
    /** Offsets are not dense. */
    GAP,
    /** A changelog contradicts the rows before it. */
    CHANGELOG,
    /** Key-value state is not the fold of the changelog. */
    STATE,
    /** An error that no fault explains. */
    UNEXPECTED,
    /** Something took longer than any fault explains. */
    STALLED,
    /** A check that could not be made. */
    UNCHECKED
}
