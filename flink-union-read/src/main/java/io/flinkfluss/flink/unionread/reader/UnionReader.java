package io.flinkfluss.flink.unionread.reader;

import io.flinkfluss.flink.unionread.merge.MergeBudget;
import io.flinkfluss.flink.unionread.plan.UnionScan;
import io.flinkfluss.flink.unionread.split.Reading;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Counter;
import org.apache.flink.table.data.RowData;

/**
 * Reads splits on the task's thread, a few hundred rows a step, so that checkpoints are never far.
 * Asks for the next split when it has none.
 */
public final class UnionReader implements SourceReader<RowData, UnionSplit> {
    private static final int ROWS_PER_STEP = 512;

    private final UnionScan scan;
    private final SourceReaderContext context;
    private final Availability availability = new Availability();
    private final Tiers tiers;
    private final Counter recordsIn;
    private final List<SplitCursor> cursors = new ArrayList<>();
    private final Set<String> paused = new HashSet<>();
    private int next;
    private boolean asked;
    private boolean noMoreSplits;
    private long handedOut;

    public UnionReader(UnionScan scan, SourceReaderContext context) {
        this.scan = scan;
        this.context = context;
        this.tiers = new Tiers(scan, availability::signal);
        this.recordsIn = context.metricGroup().getIOMetricGroup().getNumRecordsInCounter();
    }

    @Override
    public void start() {
        askForSplit();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<RowData> output) throws Exception {
        availability.arm();
        int turns = cursors.size();
        for (int turn = 0; turn < turns && !cursors.isEmpty(); turn++) {
            if (handedOut >= scan.limit()) {
                return InputStatus.END_OF_INPUT;
            }
            next = next % cursors.size();
            SplitCursor cursor = cursors.get(next);
            if (!paused.contains(cursor.splitId()) && step(cursor, output)) {
                return InputStatus.MORE_AVAILABLE;
            }
            next++;
        }
        if (!cursors.isEmpty()) {
            return InputStatus.NOTHING_AVAILABLE;
        }
        if (noMoreSplits || handedOut >= scan.limit()) {
            return InputStatus.END_OF_INPUT;
        }
        askForSplit();
        return InputStatus.NOTHING_AVAILABLE;
    }

    /** Whether something was done, so that the caller should come back at once. */
    private boolean step(SplitCursor cursor, ReaderOutput<RowData> output) throws IOException {
        String splitId = cursor.splitId();
        SourceOutput<RowData> splitOutput = output.createOutputForSplit(splitId);
        long before = handedOut;
        Consumer<RowData> count =
                row -> {
                    splitOutput.collect(row);
                    handedOut++;
                };
        int rows = (int) Math.min(ROWS_PER_STEP, scan.limit() - handedOut);
        SplitCursor.Step step = cursor.step(count, rows);
        recordsIn.inc(handedOut - before);
        if (step == SplitCursor.Step.FINISHED) {
            cursor.close();
            cursors.remove(cursor);
            output.releaseOutputForSplit(splitId);
            return true;
        }
        if (step == SplitCursor.Step.MORE) {
            next++;
            return true;
        }
        return handedOut > before;
    }

    private void askForSplit() {
        if (!asked && !noMoreSplits && cursors.isEmpty()) {
            asked = true;
            context.sendSplitRequest();
        }
    }

    @Override
    public void addSplits(List<UnionSplit> splits) {
        asked = false;
        for (UnionSplit split : splits) {
            cursors.add(open(split));
        }
        availability.signal();
    }

    private SplitCursor open(UnionSplit split) {
        if (split.reading() == Reading.MERGE) {
            ReadColumns columns = ReadColumns.withKey(tiers.table().schema(), scan.projection());
            return new MergeCursor(
                    split, tiers, columns, new MergeBudget(scan.mergeMemoryBytes(), spillFolder()));
        }
        return new ConcatenateCursor(
                split, tiers, ReadColumns.asked(tiers.table().schema(), scan.projection()));
    }

    private Path spillFolder() {
        String folders = context.getConfiguration().get(CoreOptions.TMP_DIRS);
        return Path.of(folders.split(",|" + File.pathSeparator)[0]);
    }

    @Override
    public void notifyNoMoreSplits() {
        noMoreSplits = true;
        availability.signal();
    }

    @Override
    public List<UnionSplit> snapshotState(long checkpointId) {
        return cursors.stream().map(SplitCursor::left).toList();
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return availability.future();
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
        paused.addAll(toPause);
        toResume.forEach(paused::remove);
        availability.signal();
    }

    @Override
    public void close() throws Exception {
        try {
            for (SplitCursor cursor : cursors) {
                cursor.close();
            }
        } finally {
            tiers.close();
        }
    }
}
