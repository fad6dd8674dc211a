package io.flinkfluss.flink.tiering;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.tiering.TieringEvents.BucketFailed;
import io.flinkfluss.flink.tiering.TieringEvents.BucketWritten;
import io.flinkfluss.flink.tiering.TieringEvents.CancelRound;
import io.flinkfluss.flink.tiering.TieringEvents.Copied;
import io.flinkfluss.flink.tiering.TieringEvents.TableTidied;
import io.flinkfluss.flink.tiering.TieringEvents.TidyTable;
import io.flinkfluss.flink.tiering.TieringEvents.WriteBucket;
import io.flinkfluss.flink.tiering.write.BucketTask;
import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeFormats;
import io.flinkfluss.lake.LakeMaintenance;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TableInfo;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one bucket's range after another, a batch per poll, and reports each to the enumerator.
 * Everything runs on the task's thread; only {@link #wake} may be called by others.
 */
final class TieringReader implements SourceReader<String, TieringSource.None> {
    private static final Logger LOG = LoggerFactory.getLogger(TieringReader.class);

    private final TieringOptions options;
    private final SourceReaderContext context;
    private final BufferAllocator allocator = new RootAllocator();
    private final Queue<WriteBucket> queue = new ArrayDeque<>();
    private final Queue<TidyTable> upkeep = new ArrayDeque<>();
    private volatile CompletableFuture<Void> available = new CompletableFuture<>();
    private Connection connection;
    private LakeCatalog lake;
    private WriteBucket current;
    private BucketTask task;

    TieringReader(TieringOptions options, SourceReaderContext context) {
        this.options = options;
        this.context = context;
    }

    /** Connects with the first range, so that a failure is told to the enumerator, not to Flink. */
    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<String> output) {
        if (available.isDone()) {
            available = new CompletableFuture<>();
        }
        if (current == null) {
            current = queue.poll();
            if (current == null) {
                return tidyNext();
            }
        }
        try {
            return step();
        } catch (RuntimeException e) {
            fail(e);
            return InputStatus.MORE_AVAILABLE;
        }
    }

    /** Upkeep waits until no range does. */
    private InputStatus tidyNext() {
        TidyTable next = upkeep.poll();
        if (next == null) {
            return InputStatus.NOTHING_AVAILABLE;
        }
        TableInfo table = next.table().table();
        boolean changed = false;
        try {
            LakeMaintenance maintenance = lake(next.table()).maintenance(table);
            LakeMaintenance.Report report = maintenance.tidy();
            int orphans =
                    next.orphans()
                            ? maintenance.deleteOrphans(Duration.ofMillis(next.orphanAgeMillis()))
                            : 0;
            changed = !report.idle();
            if (changed || orphans > 0) {
                LOG.info(
                        "Lake table {}: {} files merged, {} snapshots expired, {} orphans deleted",
                        table.path(),
                        report.mergedFiles(),
                        report.expiredSnapshots(),
                        orphans);
            }
        } catch (RuntimeException e) {
            LOG.warn("Upkeep of lake table {} failed; it is tried again later", table.path(), e);
        }
        context.sendSourceEventToCoordinator(new TableTidied(table.id().value(), changed));
        return InputStatus.MORE_AVAILABLE;
    }

    private InputStatus step() {
        if (task == null) {
            task =
                    new BucketTask(
                            current.table().table(),
                            current.range(),
                            current.budgetMillis(),
                            service().logReader(),
                            lake(current.table()),
                            allocator,
                            System::currentTimeMillis,
                            this::wake);
        }
        switch (task.step()) {
            case COPIED -> {
                return InputStatus.MORE_AVAILABLE;
            }
            case WAITING -> {
                return InputStatus.NOTHING_AVAILABLE;
            }
            case DONE -> {
                context.sendSourceEventToCoordinator(
                        BucketWritten.of(current.attempt(), task.finish()));
                endCurrent();
                return InputStatus.MORE_AVAILABLE;
            }
        }
        throw new IllegalStateException("a step has no other outcome");
    }

    private void fail(RuntimeException e) {
        ErrorCode code =
                e instanceof StorageException storage ? storage.code() : ErrorCode.INTERNAL;
        LOG.warn(
                "Bucket {} of table {} could not be written to the lake",
                current.bucket(),
                current.table().table().path(),
                e);
        context.sendSourceEventToCoordinator(
                new BucketFailed(current.attempt(), code, String.valueOf(e.getMessage())));
        try {
            endCurrent();
        } catch (RuntimeException closing) {
            LOG.warn("A failed range could not be closed cleanly", closing);
        }
    }

    private void endCurrent() {
        BucketTask ended = task;
        task = null;
        current = null;
        if (ended != null) {
            ended.close();
        }
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        if (event instanceof WriteBucket work) {
            queue.add(work);
            wake();
        } else if (event instanceof TidyTable tidy) {
            upkeep.add(tidy);
            wake();
        } else if (event instanceof CancelRound cancel) {
            queue.removeIf(work -> work.attempt() == cancel.attempt());
            if (current != null && current.attempt() == cancel.attempt()) {
                endCurrent();
                wake();
            }
        }
    }

    private StorageService service() {
        if (connection == null) {
            connection = Connections.acquire(options.connection());
        }
        return connection.service();
    }

    /** One lake for the life of a reader: a new enumerator comes with new readers. */
    private LakeCatalog lake(Copied table) {
        if (lake == null) {
            lake = LakeFormats.open(table.lakeSettings());
        }
        return lake;
    }

    private void wake() {
        available.complete(null);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return available;
    }

    @Override
    public List<TieringSource.None> snapshotState(long checkpointId) {
        return List.of();
    }

    @Override
    public void addSplits(List<TieringSource.None> splits) {}

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {
        try {
            endCurrent();
        } finally {
            if (lake != null) {
                lake.close();
            }
            if (connection != null) {
                connection.close();
            }
            allocator.close();
        }
    }
}
