package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.server.metadata.MetadataState;
import io.flinkfluss.storage.server.shard.ShardAnswer;
import io.flinkfluss.storage.server.shard.ShardCommand;
import io.flinkfluss.storage.server.shard.ShardReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the shard of a bucket and makes tables known to shards: a shard learns of a table from the
 * first request that needs it, and forgets it after it was dropped. Any thread.
 */
final class Shards {
    private final MetadataState metadata;
    private final List<Shard> shards;
    private final Duration deadline;

    Shards(MetadataState metadata, List<Shard> shards, Duration deadline) {
        this.metadata = metadata;
        this.shards = List.copyOf(shards);
        this.deadline = deadline;
    }

    /**
     * The table of a bucket that exists.
     *
     * @throws StorageException TABLE_NOT_FOUND, INVALID_REQUEST for a bucket it does not have
     */
    TableInfo table(BucketId bucket) {
        TableInfo table = table(bucket.table());
        if (bucket.partition() != BucketId.NO_PARTITION
                || bucket.bucket() >= table.descriptor().bucketCount()) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "table "
                            + table.path()
                            + " has the buckets 0 to "
                            + (table.descriptor().bucketCount() - 1)
                            + " and no partitions, not bucket "
                            + bucket);
        }
        return table;
    }

    /**
     * @throws StorageException TABLE_NOT_FOUND
     */
    TableInfo table(TableId id) {
        return metadata.table(id)
                .orElseThrow(
                        () ->
                                new StorageException(
                                        ErrorCode.TABLE_NOT_FOUND,
                                        "table "
                                                + id
                                                + " does not exist; it may have been dropped, and a"
                                                + " new table of that name has another number"));
    }

    /**
     * Writes to the bucket's shard, which learns of the table before the command if it must.
     *
     * @param table of the bucket
     */
    <A extends ShardAnswer> CompletableFuture<A> propose(
            TableInfo table, BucketId bucket, ShardCommand command, Class<A> answer) {
        Shard shard = shards.get(bucket.shard(shards.size()));
        if (shard.reads().knows(table.id())) {
            return shard.propose(command, answer);
        }
        // Both enter the log in this order; if the first is lost, the second is refused.
        return shard.propose(new ShardCommand.OpenTable(table), ShardAnswer.Done.class)
                .thenCombine(shard.propose(command, answer), (opened, given) -> given);
    }

    /**
     * What can be read of the bucket here; blocks only for the first request of a table.
     *
     * @throws StorageException TABLE_NOT_FOUND, INVALID_REQUEST, TIMEOUT
     */
    ShardReads reads(BucketId bucket) {
        TableInfo table = table(bucket);
        Shard shard = shards.get(bucket.shard(shards.size()));
        if (!shard.reads().knows(table.id())) {
            Answers.await(
                    shard.propose(new ShardCommand.OpenTable(table), ShardAnswer.Done.class),
                    deadline,
                    "opening table " + table.path());
        }
        return shard.reads();
    }

    /** The bucket's shard if it knows the table, without waiting for anything. */
    boolean isOpen(BucketId bucket) {
        return shards.get(bucket.shard(shards.size())).reads().knows(bucket.table());
    }

    /** The shards that have buckets of the table. */
    List<Shard> of(TableInfo table) {
        Set<Integer> indexes = new TreeSet<>();
        table.buckets().forEach(bucket -> indexes.add(bucket.shard(shards.size())));
        return indexes.stream().map(shards::get).toList();
    }

    List<Shard> all() {
        return shards;
    }

    int count() {
        return shards.size();
    }

    /** Has every shard forget these tables and their rows. */
    void drop(List<TableId> tables) {
        List<CompletableFuture<?>> drops = new ArrayList<>();
        for (Shard shard : shards) {
            for (TableId table : tables) {
                if (shard.reads().knows(table)) {
                    drops.add(
                            shard.propose(
                                    new ShardCommand.DropTable(table), ShardAnswer.Done.class));
                }
            }
        }
        Answers.await(
                CompletableFuture.allOf(drops.toArray(CompletableFuture[]::new)),
                deadline,
                "dropping the rows of tables " + tables);
    }

    /** Has shards forget tables that metadata no longer knows: leftovers of interrupted drops. */
    void dropLeftovers() {
        Set<TableId> known = metadata.tableIds();
        Set<TableId> leftovers = new TreeSet<>();
        shards.forEach(shard -> leftovers.addAll(shard.reads().tables()));
        leftovers.removeAll(known);
        // A table made after the first look is known by now.
        leftovers.removeAll(metadata.tableIds());
        if (!leftovers.isEmpty()) {
            drop(List.copyOf(leftovers));
        }
    }
}
