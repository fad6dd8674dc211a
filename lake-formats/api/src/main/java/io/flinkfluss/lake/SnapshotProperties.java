package io.flinkfluss.lake;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The properties that tie a lake snapshot to the log, the same in every format: docs/formats/
 * lake-snapshot.md. The text of the end offsets lists buckets in order as {@code
 * partition:bucket=offset}, without {@code partition:} for a table without partitions, joined by
 * commas.
 */
public final class SnapshotProperties {
    /** Version of this form. */
    public static final String VERSION = "fluss.format-version";

    /** Number of the table whose rows the snapshot holds. */
    public static final String TABLE_ID = "fluss.table-id";

    /** Round that made the snapshot. */
    public static final String ROUND = "fluss.round";

    /** First offset of each bucket that the snapshot does not contain. */
    public static final String END_OFFSETS = "fluss.end-offsets";

    /** Commit time of the newest row. */
    public static final String TIERED_UP_TO = "fluss.tiered-up-to";

    private static final String CURRENT_VERSION = "1";

    private SnapshotProperties() {}

    /** The properties to commit with a snapshot. */
    public static Map<String, String> of(
            TableId table, long round, Map<BucketId, Long> endOffsets, long tieredUpToMillis) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(VERSION, CURRENT_VERSION);
        properties.put(TABLE_ID, table.toString());
        properties.put(ROUND, Long.toString(round));
        properties.put(END_OFFSETS, write(endOffsets));
        properties.put(TIERED_UP_TO, Long.toString(tieredUpToMillis));
        return properties;
    }

    /**
     * What the snapshot covers; empty when tiering did not make it.
     *
     * @throws StorageException INCOMPATIBLE_VERSION when a newer version wrote it, CORRUPT_DATA
     *     when the properties do not parse
     */
    public static Optional<LakeSnapshot> read(
            long lakeSnapshotId, long committedAtMillis, Map<String, String> properties) {
        String version = properties.get(VERSION);
        if (version == null) {
            return Optional.empty();
        }
        if (!version.equals(CURRENT_VERSION)) {
            throw new StorageException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    "lake snapshot "
                            + lakeSnapshotId
                            + " has "
                            + VERSION
                            + " "
                            + version
                            + "; this version reads "
                            + CURRENT_VERSION
                            + ". Use the version that wrote it, or a newer one");
        }
        try {
            TableId table = new TableId(number(properties, TABLE_ID));
            return Optional.of(
                    new LakeSnapshot(
                            table,
                            number(properties, ROUND),
                            lakeSnapshotId,
                            parse(table, properties.getOrDefault(END_OFFSETS, "")),
                            committedAtMillis,
                            number(properties, TIERED_UP_TO)));
        } catch (IllegalArgumentException e) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    "lake snapshot "
                            + lakeSnapshotId
                            + " has tiering properties that do not parse: "
                            + e.getMessage()
                            + ". Found "
                            + properties,
                    e);
        }
    }

    private static long number(Map<String, String> properties, String key) {
        String text = properties.get(key);
        if (text == null) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return Long.parseLong(text);
    }

    private static String write(Map<BucketId, Long> endOffsets) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(endOffsets)
                .forEach(
                        (bucket, offset) -> {
                            text.append(text.isEmpty() ? "" : ",");
                            if (bucket.partition() != BucketId.NO_PARTITION) {
                                text.append(bucket.partition()).append(':');
                            }
                            text.append(bucket.bucket()).append('=').append(offset);
                        });
        return text.toString();
    }

    private static Map<BucketId, Long> parse(TableId table, String text) {
        Map<BucketId, Long> offsets = new TreeMap<>();
        for (String item : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = item.indexOf('=');
            int colon = item.indexOf(':');
            if (equals < 0) {
                throw new IllegalArgumentException(
                        "'" + item + "' is not of the form [partition:]bucket=offset");
            }
            long partition =
                    colon < 0 ? BucketId.NO_PARTITION : Long.parseLong(item.substring(0, colon));
            int bucket = Integer.parseInt(item.substring(colon + 1, equals));
            offsets.put(
                    new BucketId(table, partition, bucket),
                    Long.parseLong(item.substring(equals + 1)));
        }
        return offsets;
    }
}
