package io.flinkfluss.storage.api.error;

/** What a caller may do after an error, independent of the exact {@link ErrorCode}. */
public enum ErrorKind {
    /** The request is wrong; sending it again cannot help. */
    USER,
    /** Nothing was changed; the same request may be sent again after a pause. */
    RETRIABLE,
    /** Nothing was changed; another node answers this: find out which, and send it there. */
    MOVED,
    /** The caller's own state (writer id, snapshot, epoch) is out of date; renew it first. */
    FENCED,
    /** A defect or damaged data; a person must look at it. */
    INTERNAL,
    /**
     * The request may or may not have taken effect; only an idempotent request may be sent again.
     */
    OUTCOME_UNKNOWN
}
