package io.flinkfluss.flink.catalog.table;

import io.flinkfluss.flink.type.FlinkTypes;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TableRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.TableDistribution;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.types.utils.TypeConversions;

/**
 * Flink's table definitions as ours and back. What this version cannot hold is refused here, with
 * the column or option named.
 */
public final class TableDefinitions {
    private TableDefinitions() {}

    /**
     * @throws ValidationException saying what is not supported and what to do instead
     */
    public static TableDescriptor toDescriptor(ResolvedCatalogTable table) {
        refuseUnsupported(table);
        ResolvedSchema resolved = table.getResolvedSchema();
        Schema schema = toSchema(resolved);
        TableOptions options = TableOptions.parse(table.getOptions());
        Map<String, String> custom = new HashMap<>(options.custom());
        custom.putAll(SchemaExpressions.toProperties(resolved));
        return new TableDescriptor(
                schema,
                table.getPartitionKeys(),
                bucketKey(schema, options, table),
                options.bucketCount()
                        .or(
                                () ->
                                        table.getDistribution()
                                                .flatMap(TableDistribution::getBucketCount))
                        .orElse(1),
                options.storage(),
                custom,
                table.getComment() == null ? "" : table.getComment());
    }

    /** The definition that {@link #toDescriptor} was made from. */
    public static CatalogTable toCatalogTable(TableInfo table) {
        TableDescriptor descriptor = table.descriptor();
        Map<String, String> options = new HashMap<>(descriptor.options());
        options.put(TableOptions.BUCKET_NUM, Integer.toString(descriptor.bucketCount()));
        if (!descriptor.bucketKey().isEmpty()) {
            options.put(TableOptions.BUCKET_KEY, String.join(",", descriptor.bucketKey()));
        }
        descriptor
                .customProperties()
                .forEach(
                        (key, value) -> {
                            if (!key.startsWith(SchemaExpressions.PREFIX)) {
                                options.put(key, value);
                            }
                        });
        return CatalogTable.newBuilder()
                .schema(toFlinkSchema(descriptor))
                .comment(descriptor.comment())
                .partitionKeys(descriptor.partitionKeys())
                .options(options)
                .build();
    }

    /** The view's definition; see {@link VirtualTable}. */
    public static CatalogTable toCatalogTable(TableInfo table, VirtualTable virtual) {
        return virtual.toCatalogTable(table, toCatalogTable(table));
    }

    /**
     * Options that shape storage are fixed at CREATE TABLE: a hint or a temporary table may repeat
     * them, not change them.
     */
    public static void checkStorageOptions(
            String where, Map<String, String> options, TableInfo table) {
        Map<String, String> stored = toCatalogTable(table).getOptions();
        options.forEach(
                (key, value) -> {
                    boolean storage =
                            key.startsWith("table.")
                                    || key.equals(TableOptions.BUCKET_NUM)
                                    || key.equals(TableOptions.BUCKET_KEY);
                    if (storage && !value.equals(stored.get(key))) {
                        throw new ValidationException(
                                String.format(
                                        "%s: '%s'='%s' cannot be set here, because it is fixed when"
                                                + " the table is created (it is %s). Hints may carry"
                                                + " options that begin with scan., lookup., sink."
                                                + " and client.",
                                        where, key, value, stored.getOrDefault(key, "not set")));
                    }
                });
    }

    private static void refuseUnsupported(ResolvedCatalogTable table) {
        if (table.isPartitioned()) {
            throw new ValidationException(
                    "PARTITIONED BY ("
                            + String.join(", ", table.getPartitionKeys())
                            + ") is not supported yet. Leave it out and spread the rows with"
                            + " 'bucket.num' and 'bucket.key'");
        }
        for (Column column : table.getResolvedSchema().getColumns()) {
            if (column instanceof Column.MetadataColumn) {
                throw new ValidationException(
                        "the metadata column "
                                + column.getName()
                                + " is not supported. Offsets and commit times are columns of the"
                                + " view <table>$changelog");
            }
            if (TableRules.RESERVED_COLUMNS.contains(column.getName())) {
                throw new ValidationException(
                        "the column name "
                                + column.getName()
                                + " is reserved for system columns and views; reserved are "
                                + TableRules.RESERVED_COLUMNS.stream().sorted().toList()
                                + ". Choose another name");
            }
        }
        if (table.getResolvedSchema().getColumns().stream().noneMatch(Column::isPhysical)) {
            throw new ValidationException(
                    "the table has no column that is stored; give it one or more");
        }
    }

    private static Schema toSchema(ResolvedSchema resolved) {
        List<io.flinkfluss.storage.api.table.Column> columns = new ArrayList<>();
        for (Column column : resolved.getColumns()) {
            if (column.isPhysical()) {
                columns.add(
                        new io.flinkfluss.storage.api.table.Column(
                                columns.size() + 1,
                                column.getName(),
                                FlinkTypes.toStorage(
                                        column.getName(), column.getDataType().getLogicalType()),
                                column.getComment().orElse("")));
            }
        }
        List<String> primaryKey =
                resolved.getPrimaryKey().map(UniqueConstraint::getColumns).orElse(List.of());
        return new Schema(1, columns, primaryKey);
    }

    private static List<String> bucketKey(
            Schema schema, TableOptions options, ResolvedCatalogTable table) {
        List<String> asked = options.bucketKey();
        if (asked.isEmpty()) {
            asked = table.getDistribution().map(TableDistribution::getBucketKeys).orElse(List.of());
        }
        return asked.isEmpty() ? schema.primaryKey() : asked;
    }

    private static org.apache.flink.table.api.Schema toFlinkSchema(TableDescriptor descriptor) {
        Map<String, String> properties = descriptor.customProperties();
        org.apache.flink.table.api.Schema.Builder builder =
                org.apache.flink.table.api.Schema.newBuilder();
        int position = 0;
        for (io.flinkfluss.storage.api.table.Column column : descriptor.schema().columns()) {
            while (SchemaExpressions.addComputed(builder, position, properties)) {
                position++;
            }
            builder.column(
                    column.name(),
                    TypeConversions.fromLogicalToDataType(FlinkTypes.toFlink(column.type())));
            if (!column.comment().isEmpty()) {
                builder.withComment(column.comment());
            }
            position++;
        }
        while (SchemaExpressions.addComputed(builder, position, properties)) {
            position++;
        }
        SchemaExpressions.addWatermark(builder, properties);
        if (descriptor.hasPrimaryKey()) {
            builder.primaryKey(descriptor.schema().primaryKey());
        }
        return builder.build();
    }
}
