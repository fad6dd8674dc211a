package io.flinkfluss.flink.unionread.reader;

import io.flinkfluss.flink.row.RowViewData;
import io.flinkfluss.flink.unionread.merge.FoldedTail;
import io.flinkfluss.flink.unionread.merge.MergeBudget;
import io.flinkfluss.flink.unionread.merge.MergedRows;
import io.flinkfluss.flink.unionread.split.LogRange;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.table.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.table.data.RowData;

/** The current rows of a primary-key table: folds the log's tail, then merges the lake with it. */
final class MergeCursor implements SplitCursor {
    private static final int CHANGES_PER_STEP = 4096;

    private final UnionSplit split;
    private final Tiers tiers;
    private final ReadColumns columns;
    private final RowViewData copies;
    private final KeyCodec keys;
    private final RowCodec rows;
    private final FoldedTail tail;
    private List<LogRows> logs;
    private MergedRows merged;
    private long handedOut;

    MergeCursor(UnionSplit split, Tiers tiers, ReadColumns columns, MergeBudget budget) {
        this.split = split;
        this.tiers = tiers;
        this.columns = columns;
        this.copies = new RowViewData(columns.outputTypes());
        Schema fetched = columns.fetched();
        this.keys = new KeyCodec(fetched, fetched.keyIndexes());
        this.rows = new RowCodec(fetched);
        this.tail = new FoldedTail(budget, rows);
    }

    @Override
    public Step step(Consumer<RowData> output, int limit) throws IOException {
        if (merged == null) {
            Step folding = fold();
            if (folding != Step.FINISHED) {
                return folding;
            }
            merged =
                    tail.merge(
                            new LakeKeyedRows(
                                    tiers::lake, split.lake(), columns.indexes(), keys, rows));
            for (long skipped = 0; skipped < split.skip() && merged.next(); skipped++) {
                handedOut++;
            }
        }
        for (int i = 0; i < limit; i++) {
            if (!merged.next()) {
                return Step.FINISHED;
            }
            output.accept(copies.copy(merged.view()));
            handedOut++;
        }
        return Step.MORE;
    }

    private Step fold() throws IOException {
        if (logs == null) {
            logs = new ArrayList<>();
            for (LogRange range : split.log()) {
                logs.add(tiers.log(range, columns));
            }
        }
        int folded = 0;
        boolean finished = true;
        for (LogRows log : logs) {
            while (folded < CHANGES_PER_STEP && log.next()) {
                foldRow(log);
                folded++;
            }
            finished &= log.isFinished();
        }
        if (finished) {
            closeLogs();
            return Step.FINISHED;
        }
        return folded == CHANGES_PER_STEP ? Step.MORE : Step.WAITING;
    }

    private void foldRow(LogRows log) throws IOException {
        switch (log.kind()) {
            case INSERT, UPDATE_AFTER -> tail.put(keys.encode(log.view()), rows.encode(log.view()));
            case DELETE -> tail.put(keys.encode(log.view()), null);
            case UPDATE_BEFORE -> {
                // the row after the update says everything
            }
        }
    }

    private void closeLogs() {
        if (logs != null) {
            logs.forEach(LogRows::close);
            logs = List.of();
        }
    }

    @Override
    public String splitId() {
        return split.splitId();
    }

    @Override
    public UnionSplit left() {
        return new UnionSplit(
                split.splitId(),
                split.reading(),
                split.lake(),
                split.log(),
                Math.max(split.skip(), handedOut));
    }

    @Override
    public void close() throws IOException {
        closeLogs();
        if (merged != null) {
            merged.close();
        }
        tail.close();
    }
}
