package io.flinkfluss.lake;

import java.util.Map;

/**
 * One lake format; found by {@link java.util.ServiceLoader}. An implementation has a public
 * constructor without arguments and does nothing before {@link #open}.
 */
public interface LakeFormat {
    /** What the setting {@code format} calls it, in lower case: {@code iceberg}, {@code paimon}. */
    String name();

    /**
     * Opens the lake that these settings name.
     *
     * @param settings as in {@link LakeFormats#open}; names that this format does not know are
     *     passed on to its own catalog
     * @throws io.flinkfluss.storage.api.error.StorageException INVALID_OPTION when a setting is
     *     missing or wrong, UNREACHABLE when the lake does not answer
     */
    LakeCatalog open(Map<String, String> settings);
}
