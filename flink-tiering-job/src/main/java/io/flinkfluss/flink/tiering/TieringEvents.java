package io.flinkfluss.flink.tiering;

import io.flinkfluss.flink.connection.TableHandle;
import io.flinkfluss.flink.tiering.plan.BucketRange;
import io.flinkfluss.flink.tiering.write.WrittenBucket;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * What enumerator and readers tell each other. An attempt names one try of one round; answers to an
 * attempt that is over are ignored. Never stored, so Java serialization will do.
 */
final class TieringEvents {
    private TieringEvents() {}

    /**
     * A table and the lake it is copied to. The enumerator, which commits, names the lake, so that
     * no reader writes to another one.
     */
    record Copied(TableHandle handle, Map<String, String> lakeSettings) implements Serializable {
        Copied {
            lakeSettings = new HashMap<>(lakeSettings);
        }

        TableInfo table() {
            return handle.table();
        }

        /** Without the settings, which may hold secrets: Flink logs events that get lost. */
        @Override
        public String toString() {
            return table().path().toString();
        }
    }

    /** To a reader: write this range. */
    record WriteBucket(
            long attempt,
            Copied table,
            long partition,
            int bucket,
            long start,
            long end,
            long budgetMillis)
            implements SourceEvent {
        static WriteBucket of(long attempt, Copied table, BucketRange range, long budgetMillis) {
            return new WriteBucket(
                    attempt,
                    table,
                    range.bucket().partition(),
                    range.bucket().bucket(),
                    range.start(),
                    range.end(),
                    budgetMillis);
        }

        BucketRange range() {
            return new BucketRange(new BucketId(table.table().id(), partition, bucket), start, end);
        }
    }

    /** To a reader: forget this attempt and delete its unfinished files. */
    record CancelRound(long attempt) implements SourceEvent {}

    /** To a reader: one step of upkeep of this lake table. */
    record TidyTable(Copied table, boolean orphans, long orphanAgeMillis) implements SourceEvent {}

    /** To the enumerator: the step is over. */
    record TableTidied(long table, boolean changed) implements SourceEvent {}

    /** To the enumerator: a range is in files. */
    record BucketWritten(
            long attempt,
            long table,
            long partition,
            int bucket,
            long end,
            long newestMillis,
            byte[] files)
            implements SourceEvent {
        static BucketWritten of(long attempt, WrittenBucket written) {
            return new BucketWritten(
                    attempt,
                    written.bucket().table().value(),
                    written.bucket().partition(),
                    written.bucket().bucket(),
                    written.end(),
                    written.newestMillis(),
                    written.files());
        }

        WrittenBucket written() {
            return new WrittenBucket(
                    new BucketId(new TableId(table), partition, bucket), end, newestMillis, files);
        }
    }

    /** To the enumerator: a range could not be written. */
    record BucketFailed(long attempt, ErrorCode code, String message) implements SourceEvent {}
}
