package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.wire.ArrowBatchCheck;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Stores batches of rows: checks, duplicate detection, logs and changelogs. One thread. */
final class ShardWrites {
    private static final ByteBuffer ALL_INSERT = ByteBuffer.allocate(0);

    private final ShardConfig config;
    private final ShardTables tables;
    private final ShardBuckets buckets;
    private final PutApplier puts;

    ShardWrites(ShardConfig config, ShardTables tables, ShardBuckets buckets, PutApplier puts) {
        this.config = config;
        this.tables = tables;
        this.buckets = buckets;
        this.puts = puts;
    }

    /** Appends to a log table at this time. */
    ShardAnswer append(ShardCommand.Append append, long millis) {
        try {
            TableState table = tables.require(append.bucket());
            if (table.info().hasPrimaryKey()) {
                throw new StorageException(
                        ErrorCode.UNSUPPORTED,
                        "table "
                                + table.info().path()
                                + " has a primary key; its log is the changelog that upserts and"
                                + " deletes write. Put rows instead.");
            }
            checkBatch(table, append.batch().schemaId(), append.batch().sizeInBytes());
            ArrowBatchCheck.check(table.schema(), append.batch());
        } catch (StorageException e) {
            return refused(e);
        }
        BucketState bucket = buckets.obtain(append.bucket());
        Optional<ShardAnswer> known = checkStamp(bucket, append.stamp(), millis);
        if (known.isPresent()) {
            return known.get();
        }
        long offset = bucket.log().append(append.batch(), ALL_INSERT, append.stamp(), millis);
        buckets.grew(append.bucket());
        return stored(bucket, append.stamp(), offset, millis);
    }

    /** Upserts and deletes at this time; the changes are written by {@link PutApplier#write}. */
    ShardAnswer put(ShardCommand.Put put, long millis) {
        TableState table;
        PutBatch batch;
        try {
            table = tables.require(put.bucket());
            if (!table.info().hasPrimaryKey()) {
                throw new StorageException(
                        ErrorCode.UNSUPPORTED,
                        "table " + table.info().path() + " has no primary key; append rows.");
            }
            checkBatch(table, put.batch().schemaId(), put.batch().entries().remaining());
            batch = PutBatch.parse(put.batch());
        } catch (StorageException e) {
            return refused(e);
        }
        BucketState bucket = buckets.obtain(put.bucket());
        Optional<ShardAnswer> known = checkStamp(bucket, put.stamp(), millis);
        if (known.isPresent()) {
            return known.get();
        }
        puts.load(put.bucket(), batch);
        Optional<PutApplier.Changelog> changelog;
        try {
            changelog = puts.change(table, batch);
        } catch (StorageException e) {
            return refused(e);
        }
        puts.commit(put.bucket(), batch);
        long offset = bucket.log().appendedEnd();
        if (changelog.isPresent()) {
            PutApplier.Changelog changes = changelog.get();
            bucket.log().append(changes.batch(), changes.kinds(), put.stamp(), millis);
            bucket.addRows(changes.addedRows());
            buckets.grew(put.bucket());
        }
        return stored(bucket, put.stamp(), offset, millis);
    }

    private void checkBatch(TableState table, int schemaId, int bytes) {
        if (schemaId != table.schema().id()) {
            throw new StorageException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "a batch of schema "
                            + schemaId
                            + " was sent to table "
                            + table.info().path()
                            + ", which has schema "
                            + table.schema().id()
                            + "; read the table again and write with its schema");
        }
        if (bytes > config.maxBatchBytes()) {
            throw new StorageException(
                    ErrorCode.RECORD_TOO_LARGE,
                    "a batch of "
                            + bytes
                            + " bytes was sent to table "
                            + table.info().path()
                            + "; "
                            + config.maxBatchBytes()
                            + " are allowed. Send fewer or smaller rows at once.");
        }
    }

    /** The answer when the batch must not be stored. */
    private static Optional<ShardAnswer> checkStamp(
            BucketState bucket, WriterStamp stamp, long millis) {
        if (!stamp.isPresent()) {
            return Optional.empty();
        }
        if (stamp.sequence() < 0) {
            return Optional.of(
                    new ShardAnswer.Refused(
                            ErrorCode.INVALID_REQUEST,
                            "batch "
                                    + stamp.sequence()
                                    + " of writer "
                                    + stamp.writerId()
                                    + ": a writer counts its batches from 0"));
        }
        return switch (bucket.writers().judge(stamp, millis)) {
            case STORE -> Optional.empty();
            case DUPLICATE ->
                    Optional.of(
                            new ShardAnswer.Stored(
                                    new AppendResult(bucket.writers().offsetOf(stamp), true)));
            case MISSING_EARLIER ->
                    Optional.of(
                            new ShardAnswer.Refused(
                                    ErrorCode.OUT_OF_ORDER_SEQUENCE,
                                    "writer "
                                            + stamp.writerId()
                                            + " sent batch "
                                            + stamp.sequence()
                                            + " to bucket "
                                            + bucket.log().bucket()
                                            + ", which waits for batch "
                                            + bucket.writers().expectedSequence(stamp.writerId())
                                            + "; send the missing ones first"));
            case UNKNOWN_WRITER ->
                    Optional.of(
                            new ShardAnswer.Refused(
                                    ErrorCode.UNKNOWN_WRITER,
                                    "writer "
                                            + stamp.writerId()
                                            + " sent batch "
                                            + stamp.sequence()
                                            + " to bucket "
                                            + bucket.log().bucket()
                                            + ", which does not know it and expects batch 0; a"
                                            + " writer is forgotten after 7 days. Ask for a new"
                                            + " writer id."));
        };
    }

    private static ShardAnswer stored(
            BucketState bucket, WriterStamp stamp, long offset, long millis) {
        if (stamp.isPresent()) {
            bucket.writers().stored(stamp, offset, millis);
        }
        return new ShardAnswer.Stored(new AppendResult(offset, false));
    }

    private static ShardAnswer refused(StorageException reason) {
        return new ShardAnswer.Refused(reason.code(), reason.getMessage());
    }
}
