package io.flinkfluss.flink.tiering;

import io.flinkfluss.flink.connection.TableHandle;
import io.flinkfluss.flink.tiering.TieringEvents.BucketFailed;
import io.flinkfluss.flink.tiering.TieringEvents.BucketWritten;
import io.flinkfluss.flink.tiering.TieringEvents.CancelRound;
import io.flinkfluss.flink.tiering.TieringEvents.Copied;
import io.flinkfluss.flink.tiering.TieringEvents.TableTidied;
import io.flinkfluss.flink.tiering.TieringEvents.TidyTable;
import io.flinkfluss.flink.tiering.TieringEvents.WriteBucket;
import io.flinkfluss.flink.tiering.commit.CommittedRound;
import io.flinkfluss.flink.tiering.plan.BucketRange;
import io.flinkfluss.flink.tiering.plan.Lookout;
import io.flinkfluss.flink.tiering.plan.Round;
import io.flinkfluss.flink.tiering.write.WrittenBucket;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TableOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.util.TimeUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the rounds of all tables. Its state belongs to the enumerator's thread; whatever asks the
 * storage service or the lake runs on Flink's worker thread ({@link TieringBackend}) and hands its
 * result back. A table that fails pauses alone; while the storage service does not answer, no round
 * is begun, and the first answer lets all go on.
 */
final class TieringEnumerator implements SplitEnumerator<TieringSource.None, TieringSource.None> {
    private static final Logger LOG = LoggerFactory.getLogger(TieringEnumerator.class);
    private static final long TICK_MILLIS = 100;
    private static final long SHORTEST_BUDGET_MILLIS = 1000;
    private static final long ORPHAN_AGE_MILLIS = 3_600_000;

    private final TieringOptions options;
    private final SplitEnumeratorContext<TieringSource.None> context;
    private final TieringBackend backend;
    private final Map<TableId, TableTiering> tables = new TreeMap<>();
    private final TieringMetrics metrics;
    private final Lookout lookout;
    private long lastAttempt = System.nanoTime();

    TieringEnumerator(TieringOptions options, SplitEnumeratorContext<TieringSource.None> context) {
        this.options = options;
        this.context = context;
        this.backend = new TieringBackend(options);
        this.metrics = new TieringMetrics(context.metricGroup());
        this.lookout = new Lookout(options.pollInterval().toMillis());
    }

    @Override
    public void start() {
        context.callAsync(() -> "tick", (tick, error) -> tick(), 0, TICK_MILLIS);
    }

    private void onTables(List<TableInfo> found, Throwable error) {
        long now = System.currentTimeMillis();
        if (error != null) {
            onTablesUnknown(now, error);
            return;
        }
        if (lookout.isServiceAway()) {
            LOG.info(
                    "The storage service at {} answers again after {} failed tries; tiering goes on",
                    options.connection().bootstrapServers(),
                    lookout.failures());
        }
        lookout.succeeded(now);
        Set<TableId> ids = new HashSet<>();
        for (TableInfo table : found) {
            ids.add(table.id());
            long freshness = freshness(table);
            TableTiering known = tables.get(table.id());
            if (known == null) {
                LOG.info("Tiering table {} within {} ms", table.path(), freshness);
                TableTiering added = new TableTiering(table, freshness);
                tables.put(table.id(), added);
                metrics.watch(added);
            } else {
                known.update(table, freshness);
            }
        }
        tables.values().removeIf(known -> !known.isBusy() && !ids.contains(known.table().id()));
    }

    private void onTablesUnknown(long now, Throwable error) {
        boolean away = error instanceof StorageException storage && storage.isWorthRepeating();
        long pause = away ? lookout.serviceAway(now) : lookout.failed(now);
        LOG.warn(
                "The tables to tier could not be listed by the storage service at {} (failure {} in"
                        + " a row, {}); the next try is in {} ms: {}",
                options.connection().bootstrapServers(),
                lookout.failures(),
                away ? "no round begins before it answers" : "known tables are tiered on",
                pause,
                error.toString(),
                lookout.failures() == 1 ? error : null);
    }

    private static long freshness(TableInfo table) {
        String given = table.descriptor().option(TableOption.DATALAKE_FRESHNESS);
        try {
            return TimeUtils.parseDuration(given).toMillis();
        } catch (IllegalArgumentException e) {
            LOG.warn(
                    "Table {} has '{}' = '{}', which is not a duration; {} is used",
                    table.path(),
                    TableOption.DATALAKE_FRESHNESS.key(),
                    given,
                    TableOption.DATALAKE_FRESHNESS.defaultValue());
            return TimeUtils.parseDuration(TableOption.DATALAKE_FRESHNESS.defaultValue())
                    .toMillis();
        }
    }

    /**
     * The look for tables is begun here and not by Flink's clock, which would make up for each look
     * that an outage has kept from its time, before anything else.
     */
    private void tick() {
        long now = System.currentTimeMillis();
        if (lookout.isDue(now)) {
            lookout.begin();
            context.callAsync(backend::lakeTables, this::onTables);
        }
        if (context.registeredReaders().isEmpty() || lookout.isServiceAway()) {
            return;
        }
        beginDueRounds(now);
        beginDueUpkeep(now);
    }

    private void beginDueUpkeep(long now) {
        for (TableTiering tiering : tables.values()) {
            if (tiering.upkeep().isDue(now)) {
                int reader = leastLoaded(load());
                tiering.upkeep().begin();
                tiering.tidyingReader(reader);
                context.sendEventToSourceReader(
                        reader,
                        new TidyTable(
                                copied(tiering.table()),
                                tiering.upkeep().takesOrphans(now),
                                Math.max(ORPHAN_AGE_MILLIS, 3 * tiering.schedule().freshness())));
            }
        }
    }

    private Copied copied(TableInfo table) {
        return new Copied(new TableHandle(table), backend.lakeSettings());
    }

    private static int leastLoaded(Map<Integer, Integer> load) {
        return load.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
    }

    private void beginDueRounds(long now) {
        for (TableTiering tiering : tables.values()) {
            if (tiering.isDue(now)) {
                tiering.begin(now);
                TableInfo table = tiering.table();
                Map<BucketId, Long> lastEnds = tiering.lastEnds();
                context.callAsync(
                        () -> backend.plan(table, lastEnds),
                        (round, error) -> onPlanned(tiering, round, error));
            }
        }
    }

    private void onPlanned(TableTiering tiering, Optional<Round> round, Throwable error) {
        if (error != null) {
            fail(tiering, "could not be planned", error);
        } else if (round.isEmpty()) {
            tiering.rowsBehind(0);
            tiering.schedule().nothingToDo();
            tiering.end();
        } else if (context.registeredReaders().isEmpty()) {
            tiering.schedule().outdated(System.currentTimeMillis());
            tiering.end();
        } else {
            assign(tiering, round.get());
        }
    }

    /** Gives each range to the reader that has least to do. */
    private void assign(TableTiering tiering, Round round) {
        Map<Integer, Integer> load = load();
        Map<BucketId, Integer> readers = new HashMap<>();
        for (BucketRange range : round.work()) {
            int reader = leastLoaded(load);
            load.merge(reader, 1, Integer::sum);
            readers.put(range.bucket(), reader);
        }
        int rangesOfOneReader = readers.size() / Set.copyOf(readers.values()).size();
        long budget =
                Math.max(
                        SHORTEST_BUDGET_MILLIS, tiering.schedule().freshness() / rangesOfOneReader);
        tiering.rowsBehind(round.rows());
        TableTiering.Attempt attempt = tiering.begin(++lastAttempt, round, readers);
        Copied table = copied(round.table());
        for (BucketRange range : round.work()) {
            context.sendEventToSourceReader(
                    readers.get(range.bucket()),
                    WriteBucket.of(attempt.number(), table, range, budget));
        }
    }

    private Map<Integer, Integer> load() {
        Map<Integer, Integer> load = new TreeMap<>();
        context.registeredReaders().keySet().forEach(reader -> load.put(reader, 0));
        for (TableTiering tiering : tables.values()) {
            if (tiering.attempt() != null) {
                for (int reader : tiering.attempt().waiting()) {
                    load.computeIfPresent(reader, (key, ranges) -> ranges + 1);
                }
            }
            load.computeIfPresent(tiering.tidyingReader(), (key, ranges) -> ranges + 1);
        }
        return load;
    }

    @Override
    public void handleSourceEvent(int reader, SourceEvent event) {
        if (event instanceof BucketWritten written) {
            find(written.attempt()).ifPresent(tiering -> onWritten(tiering, written.written()));
        } else if (event instanceof BucketFailed failed) {
            find(failed.attempt())
                    .ifPresent(
                            tiering ->
                                    cancel(
                                            tiering,
                                            "could not be written",
                                            new StorageException(failed.code(), failed.message())));
        } else if (event instanceof TableTidied tidied) {
            onTidied(tidied);
        }
    }

    private void onTidied(TableTidied tidied) {
        TableTiering tiering = tables.get(new TableId(tidied.table()));
        if (tiering != null) {
            tiering.tidyingReader(-1);
            tiering.upkeep().end(tidied.changed());
        }
    }

    private Optional<TableTiering> find(long attempt) {
        return tables.values().stream()
                .filter(tiering -> tiering.attempt() != null)
                .filter(tiering -> tiering.attempt().number() == attempt)
                .findFirst();
    }

    private void onWritten(TableTiering tiering, WrittenBucket written) {
        TableTiering.Attempt attempt = tiering.attempt();
        attempt.add(written);
        if (attempt.isComplete()) {
            context.callAsync(
                    () -> backend.commit(attempt.round(), attempt.written()),
                    (committed, error) -> onCommitted(tiering, attempt, committed, error));
        }
    }

    private void onCommitted(
            TableTiering tiering,
            TableTiering.Attempt attempt,
            CommittedRound committed,
            Throwable error) {
        if (error != null) {
            fail(tiering, "could not be committed", error);
            return;
        }
        LakeSnapshot snapshot = committed.snapshot();
        long now = System.currentTimeMillis();
        Round round = attempt.round();
        long left =
                round.ranges().stream()
                        .mapToLong(range -> range.end() - snapshot.endOffset(range.bucket()))
                        .sum();
        LOG.info(
                "Round {} of table {}: {} rows of {} buckets are in the lake, {} were left for the"
                        + " next",
                round.number(),
                round.table().path(),
                round.rows() - left,
                attempt.written().size(),
                left);
        metrics.committed(round.rows() - left);
        tiering.tieredUpTo(snapshot.tieredUpToMillis());
        tiering.rowsBehind(left);
        tiering.lastEnds(committed.registered() ? snapshot.endOffsets() : Map.of());
        tiering.upkeep().roundCommitted(now);
        if (left > 0) {
            tiering.schedule().succeededPartly(now);
        } else {
            tiering.schedule().succeeded(now);
        }
        tiering.end();
    }

    /** Ends a round that readers may still work at. */
    private void cancel(TableTiering tiering, String what, RuntimeException error) {
        TableTiering.Attempt attempt = tiering.attempt();
        for (int reader : attempt.readers()) {
            if (context.registeredReaders().containsKey(reader)) {
                context.sendEventToSourceReader(reader, new CancelRound(attempt.number()));
            }
        }
        List<WrittenBucket> written = attempt.written();
        context.callAsync(
                () -> backend.discard(attempt.round().table(), written),
                (done, failure) -> {
                    if (failure != null) {
                        LOG.warn("Files of a cancelled round are left as orphans", failure);
                    }
                });
        fail(tiering, what, error);
    }

    private void fail(TableTiering tiering, String what, Throwable error) {
        long now = System.currentTimeMillis();
        ErrorCode code =
                error instanceof StorageException storage ? storage.code() : ErrorCode.INTERNAL;
        TableInfo table = tiering.table();
        tiering.lastEnds(Map.of());
        tiering.end();
        if (code == ErrorCode.TABLE_NOT_FOUND) {
            LOG.info("Table {} is tiered no longer: {}", table.path(), error.getMessage());
            tables.remove(table.id());
        } else if (code == ErrorCode.STALE_LAKE_PROGRESS) {
            LOG.warn("A round of table {} was out of date: {}", table.path(), error.getMessage());
            tiering.schedule().outdated(now);
        } else {
            metrics.failed();
            long pause = tiering.schedule().failed(now);
            LOG.warn(
                    "A round of table {} {} (failure {} in a row); the next try is in {} ms",
                    table.path(),
                    what,
                    tiering.schedule().failures(),
                    pause,
                    error);
        }
    }

    /** A reader (re)starts: what it was doing before is lost. */
    @Override
    public void addReader(int reader) {
        for (TableTiering tiering : List.copyOf(tables.values())) {
            if (tiering.tidyingReader() == reader) {
                tiering.tidyingReader(-1);
                tiering.upkeep().end(true);
            }
            if (tiering.attempt() != null && tiering.attempt().waitsFor(reader)) {
                cancel(
                        tiering,
                        "lost its reader",
                        new StorageException(
                                ErrorCode.BUSY, "reader " + reader + " was restarted"));
            }
        }
    }

    @Override
    public void handleSplitRequest(int reader, String host) {}

    @Override
    public void addSplitsBack(List<TieringSource.None> splits, int reader) {}

    @Override
    public TieringSource.None snapshotState(long checkpointId) {
        return new TieringSource.None();
    }

    @Override
    public void close() {
        backend.close();
    }
}
