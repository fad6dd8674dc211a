package io.flinkfluss.storage.api.error;

/** What a caller may do after an error, independent of the exact {@link ErrorCode}. */
public enum ErrorKind {
    /** The request is wrong; sending it again cannot help. */
    USER,
    /** Nothing was changed; the same request may be sent again after a pause. */
    RETRIABLE,
    /** The caller's view (leader, writer id, epoch) is out of date; refresh it, then send again. */
    FENCED,
    /** A defect or damaged data; a person must look at it. */
    INTERNAL,
    /**
     * The request may or may not have taken effect; only an idempotent request may be sent again.
     */
    OUTCOME_UNKNOWN
}
