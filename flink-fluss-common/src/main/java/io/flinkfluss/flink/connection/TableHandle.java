package io.flinkfluss.flink.connection;

import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.MetadataCodec;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.io.Serializable;

/**
 * A table as it was at planning, in a form that Java serialization can carry to the parallel
 * subtasks of a job. All of them work with exactly this schema.
 */
public final class TableHandle implements Serializable {
    private static final long serialVersionUID = 1L;

    private final byte[] bytes;
    private transient TableInfo table;

    public TableHandle(TableInfo table) {
        WireOutput output = new WireOutput();
        MetadataCodec.writeTableInfo(output, table);
        this.bytes = output.toByteArray();
        this.table = table;
    }

    /** The table; safe for use by many threads. */
    public TableInfo table() {
        TableInfo known = table;
        if (known == null) {
            known = MetadataCodec.readTableInfo(new WireInput(bytes));
            table = known;
        }
        return known;
    }
}
