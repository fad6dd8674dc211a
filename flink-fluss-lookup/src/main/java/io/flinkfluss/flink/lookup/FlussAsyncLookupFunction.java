package io.flinkfluss.flink.lookup;

import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;

/** Lookups of which many are on their way at once. */
public final class FlussAsyncLookupFunction extends AsyncLookupFunction {
    private static final long serialVersionUID = 1L;

    private final TableLookup lookup;

    /**
     * @param keyColumns per value of the join's key row the position of its column in the schema
     * @param projection positions of the wanted columns in the schema, in the wanted order
     * @throws org.apache.flink.table.api.ValidationException when rows cannot be found by these
     *     columns
     */
    public FlussAsyncLookupFunction(
            TableInfo table, ConnectionOptions options, int[] keyColumns, int[] projection) {
        lookup = new TableLookup(table, options, keyColumns, projection);
    }

    @Override
    public void open(FunctionContext context) {
        lookup.open();
    }

    @Override
    public CompletableFuture<Collection<RowData>> asyncLookup(RowData keyRow) {
        return lookup.find(keyRow);
    }

    @Override
    public void close() {
        lookup.close();
    }
}
