package io.flinkfluss.flink.unionread.reader;

import io.flinkfluss.flink.unionread.merge.KeyedRows;
import io.flinkfluss.lake.LakeReader;
import io.flinkfluss.lake.LakeRows;
import io.flinkfluss.lake.LakeSplit;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.RowView;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** The rows of several lake splits with their keys. */
final class LakeKeyedRows implements KeyedRows {
    private final Supplier<LakeReader> reader;
    private final Iterator<LakeSplit> splits;
    private final int[] columns;
    private final KeyCodec keys;
    private final RowCodec rows;
    private LakeRows current;
    private RowView view;

    LakeKeyedRows(
            Supplier<LakeReader> reader,
            List<LakeSplit> splits,
            int[] columns,
            KeyCodec keys,
            RowCodec rows) {
        this.reader = reader;
        this.splits = splits.iterator();
        this.columns = columns;
        this.keys = keys;
        this.rows = rows;
    }

    @Override
    public boolean next() {
        while (current == null || !current.hasNext()) {
            close();
            if (!splits.hasNext()) {
                return false;
            }
            current = reader.get().read(splits.next(), columns);
        }
        view = current.next();
        return true;
    }

    @Override
    public byte[] key() {
        return keys.encode(view);
    }

    @Override
    public byte[] row() {
        return rows.encode(view);
    }

    @Override
    public RowView view() {
        return view;
    }

    @Override
    public void close() {
        if (current != null) {
            current.close();
            current = null;
        }
    }
}
