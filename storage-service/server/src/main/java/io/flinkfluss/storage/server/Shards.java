package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.server.metadata.MetadataState;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.shard.ShardAnswer;
import io.flinkfluss.storage.server.shard.ShardCommand;
import io.flinkfluss.storage.server.shard.ShardReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the shard of a bucket and makes tables known to shards: a shard learns of a table from the
 * first request that needs it, and forgets it after it was dropped. Any thread.
 */
final class Shards {
    private static final Logger LOG = LoggerFactory.getLogger(Shards.class);

    private final Metadata metadata;
    private final List<Shard> shards;
    private final ServerClock clock;
    private final Duration deadline;

    Shards(Metadata metadata, List<Shard> shards, ServerClock clock, Duration deadline) {
        this.metadata = metadata;
        this.shards = List.copyOf(shards);
        this.clock = clock;
        this.deadline = deadline;
    }

    /**
     * The table of a bucket that exists. Waits only while the bucket's shard does not know it: it
     * may be new, or dropped without this node having heard of it.
     *
     * @throws StorageException TABLE_NOT_FOUND, INVALID_REQUEST for a bucket it does not have
     */
    TableInfo table(BucketId bucket) {
        MetadataState state = isOpen(bucket) ? metadata.state() : metadata.current();
        return checkBucket(require(state, bucket.table()), bucket);
    }

    /**
     * @throws StorageException TABLE_NOT_FOUND
     */
    TableInfo table(TableId id) {
        Optional<TableInfo> known = metadata.state().table(id);
        return known.isPresent() ? known.get() : require(metadata.current(), id);
    }

    /** The table of a bucket to write to: waits only for one that this node does not know yet. */
    CompletableFuture<TableInfo> findTable(BucketId bucket) {
        Optional<TableInfo> known = metadata.state().table(bucket.table());
        return known.isPresent()
                ? CompletableFuture.completedFuture(checkBucket(known.get(), bucket))
                : metadata.barrier()
                        .thenApply(
                                current ->
                                        checkBucket(
                                                require(metadata.state(), bucket.table()), bucket));
    }

    private static TableInfo require(MetadataState state, TableId id) {
        return state.table(id)
                .orElseThrow(
                        () ->
                                new StorageException(
                                        ErrorCode.TABLE_NOT_FOUND,
                                        "table "
                                                + id
                                                + " does not exist; it may have been dropped, and a"
                                                + " new table of that name has another number"));
    }

    private static TableInfo checkBucket(TableInfo table, BucketId bucket) {
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

    Shard of(BucketId bucket) {
        return shards.get(bucket.shard(shards.size()));
    }

    /**
     * Writes to the bucket's shard, which learns of the table before the command if it must. Only
     * on the shard's leader.
     *
     * @param table of the bucket
     */
    <A extends ShardAnswer> CompletableFuture<A> propose(
            TableInfo table, BucketId bucket, ShardCommand command, Class<A> answer) {
        Shard shard = of(bucket);
        if (shard.reads().knows(table.id())) {
            return shard.propose(command, answer);
        }
        // Both enter the log in this order; if the first is lost, the second is refused.
        return shard.propose(new ShardCommand.OpenTable(table), ShardAnswer.Done.class)
                .thenCombine(shard.propose(command, answer), (opened, given) -> given);
    }

    /**
     * What this node's replica of the bucket's shard holds, perhaps late when it follows; waits
     * only for the first request of a table.
     *
     * @throws StorageException TABLE_NOT_FOUND, INVALID_REQUEST, TIMEOUT, NOT_READY
     */
    ShardReads reads(BucketId bucket) {
        TableInfo table = table(bucket);
        Shard shard = of(bucket);
        if (!shard.reads().knows(table.id())) {
            open(shard, table);
        }
        return shard.reads();
    }

    private void open(Shard shard, TableInfo table) {
        ShardCommand open = new ShardCommand.OpenTable(table);
        CompletableFuture<?> opened;
        if (shard.group().isLeader()) {
            opened = shard.propose(open, ShardAnswer.Done.class);
        } else {
            opened =
                    shard.proposeAnywhere(List.of(open), ShardAnswer.Done.class, clock.millis())
                            .thenCompose(done -> shard.group().barrier());
        }
        Answers.await(opened, deadline, "opening table " + table.path());
    }

    /** The bucket's shard if it knows the table, without waiting for anything. */
    boolean isOpen(BucketId bucket) {
        return of(bucket).reads().knows(bucket.table());
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

    /**
     * Has all shards forget these tables, which metadata no longer knows, and their rows: from now
     * on reads find nothing. A shard that has no leader for the whole deadline forgets them as
     * {@link #dropLeftovers leftovers} when it has one.
     */
    void drop(List<TableId> tables) {
        List<CompletableFuture<?>> drops = new ArrayList<>();
        for (Shard shard : shards) {
            drops.addAll(drop(shard, tables));
        }
        try {
            Answers.await(
                    CompletableFuture.allOf(drops.toArray(CompletableFuture[]::new)),
                    deadline,
                    "dropping the rows of tables " + tables);
        } catch (StorageException unfinished) {
            LOG.warn("the rows of dropped tables {} are left for now", tables, unfinished);
        }
    }

    private List<CompletableFuture<?>> drop(Shard shard, List<TableId> tables) {
        List<ShardCommand> commands = new ArrayList<>();
        tables.forEach(table -> commands.add(new ShardCommand.DropTable(table)));
        if (commands.isEmpty()) {
            return List.of();
        }
        if (!shard.group().isLeader()) {
            return List.of(shard.proposeAnywhere(commands, ShardAnswer.Done.class, clock.millis()));
        }
        List<CompletableFuture<?>> drops = new ArrayList<>();
        commands.forEach(each -> drops.add(shard.propose(each, ShardAnswer.Done.class)));
        return drops;
    }

    /** Has the shards that are led here forget the tables that metadata no longer knows. */
    void dropLeftovers() {
        Set<TableId> leftovers = new TreeSet<>();
        led().forEach(shard -> leftovers.addAll(shard.reads().tables()));
        leftovers.removeAll(metadata.state().tableIds());
        if (leftovers.isEmpty()) {
            return;
        }
        // A shard knows only tables that metadata knew, but this node's replica may be late.
        leftovers.removeAll(metadata.current().tableIds());
        List<CompletableFuture<?>> drops = new ArrayList<>();
        for (Shard shard : led()) {
            Set<TableId> here = new TreeSet<>(shard.reads().tables());
            here.retainAll(leftovers);
            drops.addAll(drop(shard, List.copyOf(here)));
        }
        Answers.await(
                CompletableFuture.allOf(drops.toArray(CompletableFuture[]::new)),
                deadline,
                "dropping the rows of tables " + leftovers);
    }

    private List<Shard> led() {
        return shards.stream().filter(shard -> shard.group().isLeader()).toList();
    }
}
