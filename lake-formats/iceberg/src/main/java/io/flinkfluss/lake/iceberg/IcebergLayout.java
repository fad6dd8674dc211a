package io.flinkfluss.lake.iceberg;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TableDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.types.Types;

/**
 * The shape of a lake table: the user's columns with their nullability and comments, the primary
 * key as identifier fields, identity of each partition column, then the bucket. The bucket is
 * Iceberg's own {@code bucket(column, N)} when the bucket key is one column that Iceberg can bucket
 * (our hash is the same), otherwise an extra column {@code __bucket} at the end.
 */
record IcebergLayout(Schema schema, PartitionSpec spec, Map<String, String> properties) {
    static final String BUCKET_COLUMN = "__bucket";

    /** Table property: number of the table that the lake table belongs to. */
    static final String OWNER = "fluss.table-id";

    /**
     * Table property: when that table was created. Numbers are given out per cluster, so two
     * clusters may have a table of the same name and number.
     */
    static final String OWNER_CREATED = "fluss.table-created-millis";

    private static final String PASSED_ON = "iceberg.";

    static IcebergLayout of(TableDescriptor descriptor) {
        requireDistinctNames(descriptor);
        Schema schema = schemaOf(descriptor);
        return new IcebergLayout(schema, specOf(schema, descriptor), propertiesOf(descriptor));
    }

    /** The one column whose Iceberg bucket is ours; empty when the table has {@code __bucket}. */
    static Optional<String> bucketColumn(TableDescriptor descriptor) {
        List<String> key = bucketKey(descriptor);
        if (key.size() != 1) {
            return Optional.empty();
        }
        DataType type = column(descriptor, key.get(0)).type();
        return IcebergTypes.canBucket(type) ? Optional.of(key.get(0)) : Optional.empty();
    }

    private static List<String> bucketKey(TableDescriptor descriptor) {
        if (!descriptor.bucketKey().isEmpty() || !descriptor.hasPrimaryKey()) {
            return descriptor.bucketKey();
        }
        List<String> key = new ArrayList<>(descriptor.schema().primaryKey());
        key.removeAll(descriptor.partitionKeys());
        return key;
    }

    private static Column column(TableDescriptor descriptor, String name) {
        return descriptor.schema().columns().get(descriptor.schema().indexOf(name));
    }

    private static Schema schemaOf(TableDescriptor descriptor) {
        List<Types.NestedField> fields = new ArrayList<>();
        Set<Integer> identifiers = new HashSet<>();
        for (Column column : descriptor.schema().columns()) {
            int id = fields.size() + 1;
            boolean key = descriptor.schema().primaryKey().contains(column.name());
            if (key) {
                requireExactKey(column);
                identifiers.add(id);
            }
            fields.add(
                    Types.NestedField.builder()
                            .withId(id)
                            .withName(column.name())
                            .ofType(IcebergTypes.of(column))
                            .isOptional(column.type().nullable() && !key)
                            .withDoc(column.comment().isEmpty() ? null : column.comment())
                            .build());
        }
        if (bucketColumn(descriptor).isEmpty()) {
            fields.add(
                    Types.NestedField.required(
                            fields.size() + 1,
                            BUCKET_COLUMN,
                            Types.IntegerType.get(),
                            "Bucket of the row, kept by tiering"));
        }
        return new Schema(fields, identifiers);
    }

    private static PartitionSpec specOf(Schema schema, TableDescriptor descriptor) {
        PartitionSpec.Builder spec = PartitionSpec.builderFor(schema);
        descriptor.partitionKeys().forEach(spec::identity);
        Optional<String> bucketColumn = bucketColumn(descriptor);
        if (bucketColumn.isPresent()) {
            String name = bucketColumn.get() + "_bucket";
            while (schema.findField(name) != null) {
                name = name + "_";
            }
            spec.bucket(bucketColumn.get(), descriptor.bucketCount(), name);
        } else {
            spec.identity(BUCKET_COLUMN);
        }
        return spec.build();
    }

    private static Map<String, String> propertiesOf(TableDescriptor descriptor) {
        Map<String, String> properties = new HashMap<>();
        properties.put(TableProperties.FORMAT_VERSION, "2");
        properties.put(TableProperties.DEFAULT_FILE_FORMAT, "parquet");
        // Rounds of seconds make many metadata files; the newest few are all that is ever read.
        properties.put(TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true");
        properties.put(TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "100");
        // Bounds what one open file holds in memory.
        properties.put(
                TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES, Integer.toString(32 * 1024 * 1024));
        if (descriptor.hasPrimaryKey()) {
            properties.put(TableProperties.DELETE_MODE, "merge-on-read");
            properties.put(TableProperties.UPDATE_MODE, "merge-on-read");
            properties.put(TableProperties.MERGE_MODE, "merge-on-read");
        }
        if (!descriptor.comment().isEmpty()) {
            properties.put("comment", descriptor.comment());
        }
        for (Map<String, String> given :
                List.of(descriptor.options(), descriptor.customProperties())) {
            given.forEach(
                    (key, value) -> {
                        if (key.startsWith(PASSED_ON)) {
                            properties.put(key.substring(PASSED_ON.length()), value);
                        }
                    });
        }
        return properties;
    }

    private static void requireExactKey(Column column) {
        switch (column.type().root()) {
            case FLOAT, DOUBLE ->
                    throw new StorageException(
                            ErrorCode.UNSUPPORTED,
                            "primary key column "
                                    + column.name()
                                    + " has the type "
                                    + column.type()
                                    + ", which Iceberg does not allow in a key; use a whole number,"
                                    + " DECIMAL, text or time type, or create the table with"
                                    + " table.datalake.enabled=false");
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INT,
                    BIGINT,
                    CHAR,
                    STRING,
                    BINARY,
                    BYTES,
                    DECIMAL,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_LTZ -> {}
        }
    }

    private static void requireDistinctNames(TableDescriptor descriptor) {
        Map<String, String> seen = new HashMap<>();
        for (Column column : descriptor.schema().columns()) {
            String name = column.name();
            if (name.equalsIgnoreCase(BUCKET_COLUMN)) {
                throw new StorageException(
                        ErrorCode.INVALID_NAME,
                        "column "
                                + name
                                + " has the name of the lake's own bucket column; rename it, or"
                                + " create the table with table.datalake.enabled=false");
            }
            String clash = seen.put(name.toLowerCase(Locale.ROOT), name);
            if (clash != null) {
                throw new StorageException(
                        ErrorCode.INVALID_NAME,
                        "columns "
                                + clash
                                + " and "
                                + name
                                + " differ only in upper and lower case, which readers of the lake"
                                + " cannot tell apart; rename one");
            }
        }
    }

    /** What must be equal for a lake table to be adopted, as text for messages. */
    static String describe(Schema schema, PartitionSpec spec) {
        String columns =
                schema.columns().stream()
                        .map(
                                field ->
                                        field.name()
                                                + " "
                                                + field.type()
                                                + (field.isOptional() ? "" : " not null"))
                        .collect(Collectors.joining(", "));
        String partitions =
                spec.fields().stream()
                        .map(
                                field ->
                                        field.transform()
                                                + "("
                                                + schema.findColumnName(field.sourceId())
                                                + ")")
                        .collect(Collectors.joining(", "));
        return "columns ("
                + columns
                + "), key "
                + schema.identifierFieldNames().stream().sorted().toList()
                + ", partitions ("
                + partitions
                + ")";
    }
}
