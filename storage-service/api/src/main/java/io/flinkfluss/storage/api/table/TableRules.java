package io.flinkfluss.storage.api.table;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What every implementation checks before it makes a database or table, so that all refuse the same
 * things with the same words.
 */
public final class TableRules {
    /** The database that always exists. */
    public static final String DEFAULT_DATABASE = "fluss";

    /** Names that virtual tables and the lake layout give to their own columns. */
    public static final Set<String> RESERVED_COLUMNS =
            Set.of(
                    "__offset",
                    "__timestamp",
                    "__bucket",
                    "_change_type",
                    "_log_offset",
                    "_commit_timestamp");

    public static final int MAX_NAME_LENGTH = 200;
    public static final int MAX_COLUMNS = 2_000;
    public static final int MAX_BUCKETS = 10_000;

    private static final Pattern NAME = Pattern.compile("(?!__)[A-Za-z0-9_-]{1,200}");

    private TableRules() {}

    /**
     * What the service that is asked can do.
     *
     * @param nodes how many it has
     * @param lakeSettings as {@link io.flinkfluss.storage.api.TableAdmin#lakeSettings}
     */
    public record Service(int nodes, Map<String, String> lakeSettings) {
        public Service {
            lakeSettings = Map.copyOf(lakeSettings);
        }
    }

    /**
     * A length of time as options write it, such as {@code 7 d} or {@code 500 ms}.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static Duration duration(String text) {
        return DurationText.parse(text);
    }

    /**
     * @throws StorageException INVALID_NAME
     */
    public static void checkDatabaseName(String name) {
        checkName("database", name);
    }

    /**
     * @throws StorageException INVALID_NAME
     */
    public static void checkTablePath(TablePath path) {
        checkName("database", path.database());
        checkName("table", path.table());
    }

    private static void checkName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new StorageException(
                    ErrorCode.INVALID_NAME,
                    "'"
                            + name
                            + "' cannot be the name of a "
                            + what
                            + "; use 1 to "
                            + MAX_NAME_LENGTH
                            + " ASCII letters, digits, _ and -, not beginning with __");
        }
    }

    /**
     * Checks a table that is to be made.
     *
     * @return the descriptor to store: the given one, with the primary key as bucket key when a
     *     primary-key table names none
     * @throws StorageException INVALID_NAME, INVALID_TABLE, UNKNOWN_OPTION, INVALID_OPTION,
     *     UNSUPPORTED
     */
    public static TableDescriptor check(
            TablePath path, TableDescriptor descriptor, Service service) {
        checkTablePath(path);
        checkColumns(path, descriptor.schema());
        checkPrimaryKey(path, descriptor.schema());
        if (!descriptor.partitionKeys().isEmpty()) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    "table "
                            + path
                            + " is partitioned by "
                            + descriptor.partitionKeys()
                            + ", but this version has no partitions; leave PARTITIONED BY out");
        }
        checkBuckets(path, descriptor);
        new OptionRules(path, descriptor, service).check();
        return descriptor.hasPrimaryKey() && descriptor.bucketKey().isEmpty()
                ? new TableDescriptor(
                        descriptor.schema(),
                        descriptor.partitionKeys(),
                        descriptor.schema().primaryKey(),
                        descriptor.bucketCount(),
                        descriptor.options(),
                        descriptor.customProperties(),
                        descriptor.comment())
                : descriptor;
    }

    private static void checkColumns(TablePath path, Schema schema) {
        int count = schema.columns().size();
        if (count == 0 || count > MAX_COLUMNS) {
            throw invalid(path, "has " + count + " columns; 1 to " + MAX_COLUMNS + " are allowed");
        }
        Set<Integer> ids = new HashSet<>();
        for (Column column : schema.columns()) {
            String name = column.name();
            if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
                throw invalid(
                        path,
                        "has a column named '"
                                + name
                                + "'; a column's name has 1 to "
                                + MAX_NAME_LENGTH
                                + " characters");
            }
            if (RESERVED_COLUMNS.contains(name)) {
                throw invalid(
                        path,
                        "has a column "
                                + name
                                + ", a name that is used for system columns "
                                + RESERVED_COLUMNS.stream().sorted().toList()
                                + "; choose another");
            }
            if (!ids.add(column.id())) {
                throw invalid(path, "gives the column id " + column.id() + " twice");
            }
        }
    }

    private static void checkPrimaryKey(TablePath path, Schema schema) {
        checkNoDuplicates(path, "primary key", schema.primaryKey());
        for (String name : schema.primaryKey()) {
            Column column = schema.columns().get(schema.indexOf(name));
            if (column.type().nullable()) {
                throw invalid(
                        path,
                        "has the nullable primary key column "
                                + name
                                + " "
                                + column.type()
                                + "; declare it NOT NULL");
            }
        }
    }

    private static void checkBuckets(TablePath path, TableDescriptor descriptor) {
        if (descriptor.bucketCount() > MAX_BUCKETS) {
            throw invalid(
                    path,
                    "asks for bucket.num "
                            + descriptor.bucketCount()
                            + "; 1 to "
                            + MAX_BUCKETS
                            + " are allowed");
        }
        checkNoDuplicates(path, "bucket key", descriptor.bucketKey());
        List<String> allowed =
                descriptor.hasPrimaryKey()
                        ? descriptor.schema().primaryKey()
                        : descriptor.schema().columns().stream().map(Column::name).toList();
        for (String name : descriptor.bucketKey()) {
            if (!allowed.contains(name)) {
                throw invalid(
                        path,
                        "names the bucket key column "
                                + name
                                + ", which is not among its "
                                + (descriptor.hasPrimaryKey() ? "primary key columns " : "columns ")
                                + allowed);
            }
        }
    }

    private static void checkNoDuplicates(TablePath path, String what, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw invalid(path, "names " + name + " twice in its " + what + " " + names);
            }
        }
    }

    private static StorageException invalid(TablePath path, String found) {
        return new StorageException(ErrorCode.INVALID_TABLE, "table " + path + " " + found);
    }
}
