package io.flinkfluss.storage.server.retention;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.server.log.LogFacts;
import io.flinkfluss.storage.server.runtime.SteadyTime;
import io.flinkfluss.storage.server.shard.HousekeptShard;
import io.flinkfluss.storage.server.shard.ShardCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retention of one shard. {@link #step} is called now and then, by one thread at a time, on every
 * node: it notes which readers get on, and where this node leads it proposes what to give up.
 */
public final class LogRetention {
    private static final Logger LOG = LoggerFactory.getLogger(LogRetention.class);

    /** Readers that get on hold old rows for so many times their patience, and no longer. */
    private static final int LONGEST_HOLD = 6;

    private static final int COMMANDS_AT_ONCE = 1_000;
    private static final long DEADLINE_SECONDS = 60;

    private final HousekeptShard shard;
    private final Tables tables;
    private final SteadyTime time;
    private final long patience;
    private final TieredOffsets tiered;

    /** Since when readers hold rows that would be given up. */
    private final Map<BucketId, Long> heldSince = new HashMap<>();

    private long ledSince = -1;

    /** What metadata says about tables, perhaps a little late. Any thread. */
    public interface Tables {
        Optional<TableInfo> table(TableId table);

        /** What was registered last; never newer than the truth. */
        Optional<LakeTiering> tiering(TableId table);
    }

    /**
     * @param readerPatience how long a reader without progress counts, and how long a new leader
     *     waits for readers to come back before it gives up rows
     */
    public LogRetention(
            HousekeptShard shard, Tables tables, SteadyTime time, Duration readerPatience) {
        this.shard = shard;
        this.tables = tables;
        this.time = time;
        this.patience = readerPatience.toMillis();
        this.tiered = new TieredOffsets(patience);
    }

    /** Looks at all logs of the shard. */
    public void step() {
        long now = time.millis();
        boolean leads = shard.leads();
        if (!leads) {
            ledSince = -1;
            heldSince.clear();
            tiered.keepOnly(Set.of());
        } else if (ledSince < 0) {
            ledSince = now;
        }
        Set<BucketId> buckets = shard.logs().buckets();
        if (leads) {
            lookAtLake(buckets, now);
        }
        Map<TableId, Map<BucketId, Long>> snapshots = shard.logs().snapshotOffsets();
        List<ShardCommand> commands = new ArrayList<>();
        for (BucketId bucket : buckets) {
            try {
                LogFacts log = shard.logs().facts(bucket, now, patience);
                if (leads && commands.size() < COMMANDS_AT_ONCE) {
                    tables.table(bucket.table())
                            .ifPresent(table -> plan(log, table, snapshots, now, commands));
                }
            } catch (StorageException failure) {
                LOG.warn("Retention leaves bucket {} alone: {}", bucket, failure.getMessage());
            }
        }
        heldSince.keySet().retainAll(buckets);
        propose(commands);
    }

    private void lookAtLake(Set<BucketId> buckets, long now) {
        Set<TableId> all = buckets.stream().map(BucketId::table).collect(Collectors.toSet());
        all.forEach(table -> tiered.look(table, tables.tiering(table), now));
        tiered.keepOnly(all);
    }

    private void plan(
            LogFacts log,
            TableInfo table,
            Map<TableId, Map<BucketId, Long>> snapshots,
            long now,
            List<ShardCommand> commands) {
        BucketId bucket = log.bucket();
        long held = heldSince.getOrDefault(bucket, now);
        RetentionPlan.Bounds bounds =
                new RetentionPlan.Bounds(
                        promised(table, bucket, snapshots), now - held >= LONGEST_HOLD * patience);
        RetentionPlan plan =
                RetentionPlan.of(log, RetentionPolicy.of(table.descriptor()), bounds, now);
        if (plan.heldByReaders()) {
            heldSince.putIfAbsent(bucket, now);
        } else {
            heldSince.remove(bucket);
        }
        if (plan.ends()) {
            commands.add(new ShardCommand.RollLog(bucket, log.endOffset()));
        }
        // Readers of an earlier leader may not have come back yet.
        long start = now - ledSince >= patience ? plan.startOffset() : log.startOffset();
        if (start > log.startOffset() || plan.localStart() > log.localStart()) {
            commands.add(new ShardCommand.TrimLog(bucket, start, plan.localStart()));
        }
    }

    /** Rows from there on are not in the lake yet, or belong to a snapshot that is read. */
    private long promised(
            TableInfo table, BucketId bucket, Map<TableId, Map<BucketId, Long>> snapshots) {
        Map<BucketId, Long> frozen = snapshots.get(table.id());
        long snapshot = frozen == null ? Long.MAX_VALUE : frozen.getOrDefault(bucket, 0L);
        return table.descriptor().lakeEnabled() ? Math.min(snapshot, tiered.end(bucket)) : snapshot;
    }

    private void propose(List<ShardCommand> commands) {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        commands.forEach(command -> answers.add(shard.propose(command)));
        try {
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                    .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            commands.forEach(command -> LOG.debug("Shard {}: {}", shard.number(), command));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException failure) {
            // Decided anew by the next step, perhaps on another node.
            LOG.info(
                    "Retention of shard {} is not confirmed: {}",
                    shard.number(),
                    String.valueOf(failure.getCause()));
        }
    }
}
