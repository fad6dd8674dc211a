package io.flinkfluss.storage.api.record;

/**
 * Where a batch was stored.
 *
 * @param baseOffset offset of its first row in the bucket's log; for a duplicate the offset of the
 *     first time, or -1 when that is no longer known; for an upsert batch the offset of its first
 *     change (or the log's end when nothing changed)
 * @param duplicate whether the batch had been stored before
 */
public record AppendResult(long baseOffset, boolean duplicate) {}
