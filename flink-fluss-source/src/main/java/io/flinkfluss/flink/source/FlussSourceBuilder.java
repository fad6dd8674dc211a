package io.flinkfluss.flink.source;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.source.enumerator.SplitPlan;
import io.flinkfluss.flink.source.shape.RowShape;
import io.flinkfluss.flink.source.startup.Startup;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.table.api.ValidationException;

/**
 * Collects what a {@link FlussSource} reads. The connection and the table are required; everything
 * else has a default: all columns, everything the table holds, then its changes for ever.
 */
public final class FlussSourceBuilder {
    private ConnectionOptions connection;
    private TablePath path;
    private TableInfo table;
    private RowShape shape = new RowShape.Plain();
    private Startup startup = new Startup.Full();
    private Boundedness boundedness = Boundedness.CONTINUOUS_UNBOUNDED;
    private int[] projection;
    private String[] projectedFields;
    private LogFilter filter = LogFilter.NONE;
    private long limit = Long.MAX_VALUE;

    FlussSourceBuilder() {}

    /** Comma list of host:port. */
    public FlussSourceBuilder bootstrapServers(String servers) {
        return connection(ConnectionOptions.of(servers));
    }

    public FlussSourceBuilder connection(ConnectionOptions options) {
        connection = options;
        return this;
    }

    /** The table by name; {@link #build} asks the service for it. */
    public FlussSourceBuilder table(String database, String name) {
        path = new TablePath(database, name);
        table = null;
        return this;
    }

    /** A table that the caller has already looked up. */
    public FlussSourceBuilder table(TableInfo info) {
        table = info;
        path = info.path();
        return this;
    }

    /** The table's own rows (the default) or those of a virtual table. */
    public FlussSourceBuilder shape(RowShape rowShape) {
        shape = rowShape;
        return this;
    }

    public FlussSourceBuilder startup(Startup where) {
        startup = where;
        return this;
    }

    /** Reads what is there at the start, then ends. */
    public FlussSourceBuilder bounded() {
        boundedness = Boundedness.BOUNDED;
        return this;
    }

    /** Positions in the shape's row type, in the wanted order; may be empty. */
    public FlussSourceBuilder projection(int... positions) {
        projection = positions.clone();
        projectedFields = null;
        return this;
    }

    /** Names of the shape's row type, in the wanted order. */
    public FlussSourceBuilder projectedFields(String... names) {
        projectedFields = names.clone();
        projection = null;
        return this;
    }

    /**
     * Rows of a log table that do not match may be missing, not all are. A primary-key table gives
     * every row.
     */
    public FlussSourceBuilder filter(LogFilter wanted) {
        filter = wanted;
        return this;
    }

    /** Ends each bucket after this many rows; for queries that cut the rest off themselves. */
    public FlussSourceBuilder limit(long rowsPerBucket) {
        limit = rowsPerBucket;
        return this;
    }

    /**
     * @throws ValidationException when something is missing or does not fit the table
     * @throws io.flinkfluss.storage.api.error.StorageException UNREACHABLE, TABLE_NOT_FOUND
     */
    public FlussSource build() {
        require(connection != null, "bootstrapServers or connection must be set");
        require(path != null, "table must be set");
        require(limit > 0, "limit must be positive, not " + limit);
        if (table == null) {
            try (Connection open = Connections.acquire(connection)) {
                table = open.service().admin().table(path);
            }
        }
        require(
                !(shape instanceof RowShape.Binlog) || table.hasPrimaryKey(),
                "table "
                        + path
                        + " has no primary key, so it has no $binlog; its $changelog shows every row");
        return new FlussSource(
                connection,
                table,
                new SplitPlan(from(), startup, boundedness),
                shape,
                positions(),
                filter,
                limit);
    }

    private SplitPlan.From from() {
        boolean readsState =
                table.hasPrimaryKey()
                        && startup instanceof Startup.Full
                        && shape instanceof RowShape.Plain;
        return readsState ? SplitPlan.From.STATE : SplitPlan.From.LOG;
    }

    private int[] positions() {
        List<String> names = shape.rowType(table.schema()).getFieldNames();
        if (projectedFields != null) {
            int[] positions = new int[projectedFields.length];
            for (int i = 0; i < positions.length; i++) {
                positions[i] = names.indexOf(projectedFields[i]);
                require(
                        positions[i] >= 0,
                        "table "
                                + path
                                + " has no column "
                                + projectedFields[i]
                                + "; its columns are "
                                + names);
            }
            return positions;
        }
        if (projection != null) {
            for (int position : projection) {
                require(
                        position >= 0 && position < names.size(),
                        "projected position " + position + " is outside of the columns " + names);
            }
        }
        return projection;
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new ValidationException(problem);
        }
    }
}
