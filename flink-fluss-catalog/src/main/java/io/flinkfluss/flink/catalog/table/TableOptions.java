package io.flinkfluss.flink.catalog.table;

import io.flinkfluss.flink.options.KnownOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.table.api.ValidationException;

/**
 * The WITH clause of a table, sorted into what the storage service knows and what it only keeps.
 *
 * @param bucketCount {@code bucket.num}, empty when not given
 * @param bucketKey {@code bucket.key}, empty when not given
 * @param storage {@code table.*}
 * @param custom everything else
 */
record TableOptions(
        Optional<Integer> bucketCount,
        List<String> bucketKey,
        Map<String, String> storage,
        Map<String, String> custom) {
    static final String BUCKET_NUM = "bucket.num";
    static final String BUCKET_KEY = "bucket.key";
    static final String CONNECTOR = "connector";
    private static final String AUTO_INCREMENT = "auto-increment.fields";
    private static final String TABLE_PREFIX = "table.";

    static TableOptions parse(Map<String, String> with) {
        KnownOptions.check("the table", with.keySet());
        Map<String, String> storage = new TreeMap<>();
        Map<String, String> custom = new TreeMap<>();
        with.forEach(
                (key, value) -> {
                    if (key.startsWith(TABLE_PREFIX)) {
                        storage.put(key, value);
                    } else if (key.startsWith(SchemaExpressions.PREFIX)) {
                        throw new ValidationException(
                                String.format(
                                        "'%s': names that begin with '%s' are reserved for computed"
                                                + " columns and watermarks. Choose another name",
                                        key, SchemaExpressions.PREFIX));
                    } else if (key.equals(AUTO_INCREMENT)) {
                        throw new ValidationException(
                                String.format(
                                        "'%s'='%s' is not supported: this version has no"
                                                + " auto-increment columns; leave the option out",
                                        key, value));
                    } else if (!Set.of(BUCKET_NUM, BUCKET_KEY, CONNECTOR).contains(key)) {
                        custom.put(key, value);
                    }
                });
        checkConnector(with.get(CONNECTOR));
        return new TableOptions(
                bucketCount(with.get(BUCKET_NUM)),
                bucketKey(with.get(BUCKET_KEY)),
                storage,
                custom);
    }

    private static void checkConnector(String connector) {
        if (connector != null && !connector.equals("fluss")) {
            throw new ValidationException(
                    String.format(
                            "'connector'='%s' is not possible in a catalog of type 'fluss', whose"
                                    + " tables are in its own storage service. Leave 'connector' out,"
                                    + " or create the table as TEMPORARY or in another catalog",
                            connector));
        }
    }

    private static Optional<Integer> bucketCount(String value) {
        if (value == null) {
            return Optional.empty();
        }
        try {
            int count = Integer.parseInt(value.trim());
            if (count >= 1) {
                return Optional.of(count);
            }
        } catch (NumberFormatException e) {
            // refused below with the value
        }
        throw new ValidationException(
                String.format("'%s'='%s': a whole number from 1 on is allowed", BUCKET_NUM, value));
    }

    private static List<String> bucketKey(String value) {
        return value == null
                ? List.of()
                : Arrays.stream(value.split(",")).map(String::trim).toList();
    }
}
