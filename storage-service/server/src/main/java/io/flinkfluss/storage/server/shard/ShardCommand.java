package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.server.log.RemoteSegment;

/** What a shard can be told to do; many travel in one entry of its replicated log. */
public sealed interface ShardCommand {

    /** Makes the table known to the shard; a no-op when it is. Answer: {@link ShardAnswer.Done}. */
    record OpenTable(TableInfo table) implements ShardCommand {}

    /**
     * Forgets the table, its rows and its snapshots; a no-op when it is unknown. Answer: {@link
     * ShardAnswer.Done}.
     */
    record DropTable(TableId table) implements ShardCommand {}

    /** Appends to a log table. Answer: {@link ShardAnswer.Stored}. */
    record Append(BucketId bucket, WriterStamp stamp, ArrowBatch batch) implements ShardCommand {}

    /** Upserts into and deletes from a primary-key table. Answer: {@link ShardAnswer.Stored}. */
    record Put(BucketId bucket, WriterStamp stamp, KvBatch batch) implements ShardCommand {}

    /**
     * Freezes this shard's part of a primary-key table under an id that the proposer has chosen and
     * that was never used; a no-op when the id exists. Answer: {@link ShardAnswer.Frozen}.
     */
    record TakeSnapshot(TableId table, long snapshotId) implements ShardCommand {}

    /** Frees a snapshot; a no-op when it is unknown. Answer: {@link ShardAnswer.Done}. */
    record ReleaseSnapshot(long snapshotId) implements ShardCommand {}

    /**
     * Ends the segment being written if it has rows before this offset, so that retention can give
     * it up; a no-op otherwise. Answer: {@link ShardAnswer.Done}.
     */
    record RollLog(BucketId bucket, long endOffset) implements ShardCommand {}

    /**
     * Gives up the rows before {@code startOffset}, and the local copies before {@code localStart}
     * of rows that are in remote storage; a no-op when the log is there already. Answer: {@link
     * ShardAnswer.Done}.
     */
    record TrimLog(BucketId bucket, long startOffset, long localStart) implements ShardCommand {}

    /**
     * Makes known that a copy of a segment is in remote storage. Answer: {@link ShardAnswer.Done},
     * or refused when another copy came first or the rows exist no more.
     */
    record AddRemoteSegment(BucketId bucket, RemoteSegment segment) implements ShardCommand {}
}
