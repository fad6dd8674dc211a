package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.KvWriter;
import io.flinkfluss.storage.api.LogAppender;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.ArrowBatchCheck;
import io.flinkfluss.storage.server.runtime.DiskGuard;
import io.flinkfluss.storage.server.shard.ShardAnswer;
import io.flinkfluss.storage.server.shard.ShardCommand;
import java.util.concurrent.CompletableFuture;

/**
 * Checks batches and hands them to the proposers of their shards; never blocks. The futures
 * complete on the applying thread of the shard.
 */
final class LocalWriters implements LogAppender, KvWriter {
    private final Metadata metadata;
    private final Shards shards;
    private final DiskGuard disk;
    private final int largestBatch;

    LocalWriters(Metadata metadata, Shards shards, DiskGuard disk, int largestBatch) {
        this.metadata = metadata;
        this.shards = shards;
        this.disk = disk;
        this.largestBatch = largestBatch;
    }

    @Override
    public long newWriterId() {
        return metadata.newNumber();
    }

    @Override
    public int largestBatch() {
        return largestBatch;
    }

    @Override
    public CompletableFuture<AppendResult> append(
            BucketId bucket, WriterStamp stamp, ArrowBatch batch) {
        try {
            shards.of(bucket).group().requireLeader();
            return shards.findTable(bucket)
                    .thenCompose(table -> append(table, bucket, stamp, batch));
        } catch (StorageException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private CompletableFuture<AppendResult> append(
            TableInfo table, BucketId bucket, WriterStamp stamp, ArrowBatch batch) {
        checkSize(table, batch.sizeInBytes() + statisticsBytes(batch));
        if (table.hasPrimaryKey()) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    "table " + table.path() + " has a primary key; put rows into it");
        }
        checkSchema(table, batch.schemaId());
        ArrowBatchCheck.check(table.schema(), batch);
        disk.checkWritable();
        return propose(table, bucket, new ShardCommand.Append(bucket, stamp, batch));
    }

    @Override
    public CompletableFuture<AppendResult> put(BucketId bucket, WriterStamp stamp, KvBatch batch) {
        try {
            shards.of(bucket).group().requireLeader();
            return shards.findTable(bucket).thenCompose(table -> put(table, bucket, stamp, batch));
        } catch (StorageException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private CompletableFuture<AppendResult> put(
            TableInfo table, BucketId bucket, WriterStamp stamp, KvBatch batch) {
        checkSize(table, batch.entries().remaining());
        if (!table.hasPrimaryKey()) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    "table " + table.path() + " is a log table; append rows to it");
        }
        checkSchema(table, batch.schemaId());
        disk.checkWritable();
        return propose(table, bucket, new ShardCommand.Put(bucket, stamp, batch));
    }

    private CompletableFuture<AppendResult> propose(
            TableInfo table, BucketId bucket, ShardCommand command) {
        return shards.propose(table, bucket, command, ShardAnswer.Stored.class)
                .thenApply(ShardAnswer.Stored::result);
    }

    private static int statisticsBytes(ArrowBatch batch) {
        int bytes = 0;
        for (ColumnStatistics column : batch.statistics()) {
            bytes += length(column.min()) + length(column.max());
        }
        return bytes;
    }

    private static int length(byte[] bound) {
        return bound == null ? 0 : bound.length;
    }

    private void checkSize(TableInfo table, int bytes) {
        if (bytes > largestBatch) {
            throw new StorageException(
                    ErrorCode.RECORD_TOO_LARGE,
                    "a batch of "
                            + bytes
                            + " bytes for table "
                            + table.path()
                            + "; at most "
                            + largestBatch
                            + " are allowed (batch.bytes-max of the server). Send smaller batches"
                            + " or rows");
        }
    }

    private static void checkSchema(TableInfo table, int schemaId) {
        if (schemaId != table.schema().id()) {
            throw new StorageException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "a batch with schema "
                            + schemaId
                            + " for table "
                            + table.path()
                            + ", which has schema "
                            + table.schema().id()
                            + "; read the table again");
        }
    }
}
