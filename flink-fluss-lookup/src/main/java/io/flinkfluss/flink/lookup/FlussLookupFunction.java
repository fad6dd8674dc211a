package io.flinkfluss.flink.lookup;

import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;

/** One lookup at a time, which the job waits for ({@code 'lookup.async' = 'false'}). */
public final class FlussLookupFunction extends LookupFunction {
    private static final long serialVersionUID = 1L;

    private final TableLookup lookup;

    /** As {@link FlussAsyncLookupFunction#FlussAsyncLookupFunction}. */
    public FlussLookupFunction(
            TableInfo table, ConnectionOptions options, int[] keyColumns, int[] projection) {
        lookup = new TableLookup(table, options, keyColumns, projection);
    }

    @Override
    public void open(FunctionContext context) {
        lookup.open();
    }

    @Override
    public Collection<RowData> lookup(RowData keyRow) throws IOException {
        // The client ends a lookup within its own timeout; twice that is a safety net.
        long deadline = 2 * lookup.options().requestTimeout().toMillis();
        try {
            return lookup.find(keyRow).get(deadline, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException("a lookup failed: " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("a lookup got no answer within " + deadline + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("a lookup was ended");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    @Override
    public void close() {
        lookup.close();
    }
}
