package io.flinkfluss.flink.unionread.plan;

import io.flinkfluss.flink.connection.TableHandle;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/**
 * What is asked of a union read; travels with the job.
 *
 * @param handle the table, as it was at planning
 * @param lakeSettings how to open the lake, secrets included
 * @param projection positions of the wanted columns in the table's schema, in the wanted order; may
 *     be empty
 * @param limit rows after which a reader may stop; {@link #NO_LIMIT} for none
 * @param mergeMemoryBytes memory of one merge before it spills
 */
public record UnionScan(
        TableHandle handle,
        ConnectionOptions connection,
        HashMap<String, String> lakeSettings,
        int[] projection,
        Tiers tiers,
        long limit,
        long mergeMemoryBytes)
        implements Serializable {
    public static final long NO_LIMIT = Long.MAX_VALUE;

    /** Which rows are read. */
    public enum Tiers {
        /** Both tiers, up to now. */
        BOUNDED,
        /** Both tiers, then every change. */
        UNBOUNDED,
        /** Only the newest lake snapshot. */
        LAKE
    }

    public static UnionScan of(
            TableInfo table,
            ConnectionOptions connection,
            Map<String, String> lakeSettings,
            int[] projection,
            Tiers tiers) {
        return new UnionScan(
                new TableHandle(table),
                connection,
                new HashMap<>(lakeSettings),
                projection.clone(),
                tiers,
                NO_LIMIT,
                64L << 20);
    }

    public UnionScan withLimit(long rows) {
        return new UnionScan(
                handle, connection, lakeSettings, projection, tiers, rows, mergeMemoryBytes);
    }

    public UnionScan withMergeMemory(long bytes) {
        return new UnionScan(handle, connection, lakeSettings, projection, tiers, limit, bytes);
    }

    public TableInfo table() {
        return handle.table();
    }
}
