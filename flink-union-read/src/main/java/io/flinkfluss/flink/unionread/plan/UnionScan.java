package io.flinkfluss.flink.unionread.plan;

import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.MetadataCodec;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/**
 * What is asked of a union read; travels with the job.
 *
 * @param tableForm the table, in its wire form
 * @param lakeSettings how to open the lake, secrets included
 * @param projection positions of the wanted columns in the table's schema, in the wanted order; may
 *     be empty
 * @param limit rows after which a reader may stop; {@link #NO_LIMIT} for none
 * @param mergeMemoryBytes memory of one merge before it spills
 */
public record UnionScan(
        byte[] tableForm,
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
        WireOutput output = new WireOutput();
        MetadataCodec.writeTableInfo(output, table);
        return new UnionScan(
                output.toByteArray(),
                connection,
                new HashMap<>(lakeSettings),
                projection.clone(),
                tiers,
                NO_LIMIT,
                64L << 20);
    }

    public UnionScan withLimit(long rows) {
        return new UnionScan(
                tableForm, connection, lakeSettings, projection, tiers, rows, mergeMemoryBytes);
    }

    public UnionScan withMergeMemory(long bytes) {
        return new UnionScan(tableForm, connection, lakeSettings, projection, tiers, limit, bytes);
    }

    public TableInfo table() {
        return MetadataCodec.readTableInfo(new WireInput(tableForm));
    }
}
