package io.flinkfluss.lake;

/**
 * A part of a snapshot that is read alone.
 *
 * @param bucket the bucket all its rows belong to; {@link #ANY_BUCKET} when they are mixed or
 *     unknown (files written by another engine)
 * @param payload what the format needs to read it; opaque, self-contained, may be sent and stored
 * @param rows estimated rows, before deletes
 * @param bytes estimated bytes of its files
 */
public record LakeSplit(int bucket, byte[] payload, long rows, long bytes) {
    public static final int ANY_BUCKET = -1;
}
