package io.flinkfluss.flink.catalog.table;

import io.flinkfluss.storage.api.table.TableInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.types.DataType;

/** A read-only view that every table has without being created: {@code t$changelog} and others. */
public enum VirtualTable {
    CHANGELOG("$changelog") {
        @Override
        Schema schema(TableInfo table, CatalogTable base) {
            Schema.Builder builder = metadata();
            // no primary key and no watermark: one key has many changes
            builder.fromColumns(base.getUnresolvedSchema().getColumns());
            return builder.build();
        }
    },
    BINLOG("$binlog") {
        @Override
        Schema schema(TableInfo table, CatalogTable base) {
            if (!table.hasPrimaryKey()) {
                throw new ValidationException(
                        String.format(
                                "%s$binlog does not exist: only primary-key tables have a binlog, and"
                                        + " %s is a log table. Read %s$changelog instead",
                                table.path(), table.path(), table.path()));
            }
            List<DataTypes.Field> fields = new ArrayList<>();
            for (Schema.UnresolvedColumn column : base.getUnresolvedSchema().getColumns()) {
                if (column instanceof Schema.UnresolvedPhysicalColumn physical) {
                    fields.add(
                            DataTypes.FIELD(physical.getName(), (DataType) physical.getDataType()));
                }
            }
            DataType row = DataTypes.ROW(fields.toArray(new DataTypes.Field[0])).nullable();
            return metadata().column("before", row).column("after", row).build();
        }
    },
    LAKE("$lake") {
        @Override
        Schema schema(TableInfo table, CatalogTable base) {
            if (!table.descriptor().lakeEnabled()) {
                throw new ValidationException(
                        String.format(
                                "%s$lake does not exist: table %s is not copied to a lake. Create it"
                                        + " with 'table.datalake.enabled'='true'",
                                table.path(), table.path()));
            }
            return base.getUnresolvedSchema();
        }
    };

    public static final List<String> METADATA_COLUMNS =
            List.of("_change_type", "_log_offset", "_commit_timestamp");

    private final String suffix;

    VirtualTable(String suffix) {
        this.suffix = suffix;
    }

    public String suffix() {
        return suffix;
    }

    abstract Schema schema(TableInfo table, CatalogTable base);

    /**
     * @param base the table that this is a view of
     */
    CatalogTable toCatalogTable(TableInfo table, CatalogTable base) {
        return CatalogTable.newBuilder()
                .schema(schema(table, base))
                .comment(base.getComment())
                .options(Map.of())
                .build();
    }

    /** Which view this name asks for; empty for the name of a table. */
    public static Optional<VirtualTable> of(ObjectPath path) {
        int dollar = path.getObjectName().indexOf('$');
        if (dollar < 0) {
            return Optional.empty();
        }
        String asked = path.getObjectName().substring(dollar);
        for (VirtualTable virtual : values()) {
            if (virtual.suffix.equals(asked)) {
                return Optional.of(virtual);
            }
        }
        return Optional.empty();
    }

    /** The name of the table that this name belongs to. */
    public static ObjectPath base(ObjectPath path) {
        int dollar = path.getObjectName().indexOf('$');
        return dollar < 0
                ? path
                : new ObjectPath(path.getDatabaseName(), path.getObjectName().substring(0, dollar));
    }

    private static Schema.Builder metadata() {
        return Schema.newBuilder()
                .column(METADATA_COLUMNS.get(0), DataTypes.STRING().notNull())
                .column(METADATA_COLUMNS.get(1), DataTypes.BIGINT().notNull())
                .column(METADATA_COLUMNS.get(2), DataTypes.TIMESTAMP_LTZ(3).notNull());
    }
}
