package io.flinkfluss.flink.unionread.reader;

import io.flinkfluss.flink.row.RowViewData;
import io.flinkfluss.flink.unionread.split.LogRange;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import io.flinkfluss.lake.LakeRows;
import io.flinkfluss.lake.LakeSplit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.table.data.RowData;

/** Lake rows as inserts, then the rows of the log with their kinds. */
final class ConcatenateCursor implements SplitCursor {
    private final UnionSplit split;
    private final Tiers tiers;
    private final ReadColumns columns;
    private final RowViewData copies;
    private final Deque<LakeSplit> lake;
    private LakeRows lakeRows;
    private long lakeRowsRead;
    private List<LogRows> logs;

    ConcatenateCursor(UnionSplit split, Tiers tiers, ReadColumns columns) {
        this.split = split;
        this.tiers = tiers;
        this.columns = columns;
        this.copies = new RowViewData(columns.outputTypes());
        this.lake = new ArrayDeque<>(split.lake());
        this.lakeRowsRead = split.skip();
    }

    @Override
    public Step step(Consumer<RowData> output, int limit) {
        int handedOut = 0;
        while (!lake.isEmpty()) {
            if (handedOut == limit) {
                return Step.MORE;
            }
            if (lakeRows == null) {
                openLakeRows();
            }
            if (lakeRows.hasNext()) {
                output.accept(copies.copy(lakeRows.next()));
                lakeRowsRead++;
                handedOut++;
            } else {
                closeLakeRows();
                lake.remove();
                lakeRowsRead = 0;
            }
        }
        openLogs();
        boolean finished = true;
        for (LogRows log : logs) {
            while (handedOut < limit && log.next()) {
                output.accept(log.data());
                handedOut++;
            }
            finished &= log.isFinished();
        }
        if (finished) {
            return Step.FINISHED;
        }
        return handedOut == limit ? Step.MORE : Step.WAITING;
    }

    private void openLakeRows() {
        lakeRows = tiers.lake().read(lake.peek(), columns.indexes());
        for (long skipped = 0; skipped < lakeRowsRead && lakeRows.hasNext(); skipped++) {
            lakeRows.next();
        }
    }

    private void closeLakeRows() {
        if (lakeRows != null) {
            lakeRows.close();
            lakeRows = null;
        }
    }

    private void openLogs() {
        if (logs == null) {
            logs = new ArrayList<>();
            for (LogRange range : split.log()) {
                logs.add(tiers.log(range, columns));
            }
        }
    }

    @Override
    public String splitId() {
        return split.splitId();
    }

    @Override
    public UnionSplit left() {
        List<LogRange> ranges =
                logs == null ? split.log() : logs.stream().map(LogRows::left).toList();
        return new UnionSplit(
                split.splitId(), split.reading(), List.copyOf(lake), ranges, lakeRowsRead);
    }

    @Override
    public void close() {
        closeLakeRows();
        if (logs != null) {
            logs.forEach(LogRows::close);
        }
    }
}
