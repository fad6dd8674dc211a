package io.flinkfluss.storage.api.record;

/**
 * Makes a batch idempotent: a batch with a stamp that was stored before is acknowledged with its
 * first offset and not stored again, across leader change and restart.
 *
 * @param writerId from {@link io.flinkfluss.storage.api.LogAppender#newWriterId()}; negative for
 *     none
 * @param sequence counts this writer's batches per bucket from 0 without a gap; a writer that the
 *     bucket does not know must begin with 0
 */
public record WriterStamp(long writerId, int sequence) {
    /** No protection: a retry after an unknown outcome may store the batch twice. */
    public static final WriterStamp NONE = new WriterStamp(-1, -1);

    public boolean isPresent() {
        return writerId >= 0;
    }
}
