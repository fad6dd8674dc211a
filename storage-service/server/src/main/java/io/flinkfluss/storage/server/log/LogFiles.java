package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the segment files of a log that nobody has opened, or that others write to. */
public final class LogFiles {
    private LogFiles() {}

    /**
     * @param length bytes that count; the file may have more
     */
    public record Part(Path path, long length) {}

    /** The folder of a bucket's segments. */
    static Path folder(Path logs, BucketId bucket) {
        return logs.resolve(bucket.table().toString())
                .resolve(Long.toString(bucket.partition()))
                .resolve(Integer.toString(bucket.bucket()));
    }

    /** Whether a folder with this name is that of a table, a partition or a bucket. */
    static boolean isNumber(String name) {
        return name.matches("\\d{1,18}");
    }

    /**
     * The segments of a bucket that a checkpoint needs, ascending.
     *
     * @param logs folder of the shard's logs
     * @throws StorageException CORRUPT_DATA when the last one is missing
     */
    public static List<Part> of(Path logs, BucketId bucket, LogEnd end) throws IOException {
        if (end.segmentBase() < 0) {
            return List.of();
        }
        List<Part> parts = new ArrayList<>();
        Path last = null;
        for (Path file : Folders.list(folder(logs, bucket))) {
            if (!Segment.isSegment(file) || Segment.baseOffset(file) > end.segmentBase()) {
                continue;
            }
            if (Segment.baseOffset(file) <= end.localStart()) {
                // Those before this one have only rows that need not be here.
                parts.clear();
            }
            last = file;
            boolean grows = Segment.baseOffset(file) == end.segmentBase();
            parts.add(new Part(file, grows ? end.segmentLength() : Files.size(file)));
        }
        if (last == null || Segment.baseOffset(last) != end.segmentBase()) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    "the log of bucket "
                            + bucket
                            + " lacks its segment "
                            + end.segmentBase()
                            + " in "
                            + folder(logs, bucket)
                            + ", which a checkpoint needs; found "
                            + parts.size()
                            + " others. Restore this node's data from another node.");
        }
        return parts;
    }

    /** Whether a later segment was begun, so that this one does not grow any more. */
    public static boolean isComplete(Path segment) {
        if (!Segment.isSegment(segment)) {
            return false;
        }
        try {
            return Folders.list(segment.getParent()).stream()
                    .anyMatch(
                            other ->
                                    Segment.isSegment(other)
                                            && Segment.baseOffset(other)
                                                    > Segment.baseOffset(segment));
        } catch (IOException unreadable) {
            return false;
        }
    }
}
