package io.flinkfluss.storage.api.format;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;

/**
 * A form of stored or sent bytes. Whoever writes and reads one has it as a constant; a test finds
 * all constants and asks for a sample of every version and for a row of every version in the page
 * (docs/howto/add-a-format-version.md).
 *
 * @param name as in the page, for example {@code scan ticket}
 * @param oldest the oldest version that is read
 * @param newest the newest version that is read; written may be an older one, for an older reader
 * @param page file below docs/formats
 */
public record Format(String name, int oldest, int newest, String page) {
    public Format {
        if (oldest < 1 || newest < oldest) {
            throw new IllegalArgumentException(
                    "versions of the " + name + " from " + oldest + " to " + newest);
        }
    }

    /** A format that has had one version. */
    public static Format first(String name, String page) {
        return new Format(name, 1, 1, page);
    }

    /**
     * @throws StorageException INCOMPATIBLE_VERSION naming the version found and those that are
     *     read
     */
    public int check(int version) {
        if (version < oldest || version > newest) {
            throw new StorageException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    "found version "
                            + version
                            + " of the "
                            + name
                            + "; this program reads versions "
                            + oldest
                            + " to "
                            + newest
                            + ". Use a client and a server of the same release, or upgrade the"
                            + " older one.");
        }
        return version;
    }
}
