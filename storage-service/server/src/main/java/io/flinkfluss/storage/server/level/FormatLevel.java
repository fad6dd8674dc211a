package io.flinkfluss.storage.server.level;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;

/**
 * What may be written to replicated logs, checkpoints and data directories. A cluster has a level,
 * which is part of its metadata. Each node announces the newest level that it reads; when all of
 * them read a newer one, the cluster's level rises and never falls again. Until then what a newer
 * level adds is refused, so that a node which is not upgraded yet can read all that it is sent.
 *
 * <p>The number is also the version of the entries of the shards' and the metadata group's logs,
 * and the {@code format} of a data directory. docs/formats/README.md says how to add one.
 */
public enum FormatLevel {
    /** The first release. */
    FIRST(1, "0.1"),

    /**
     * Levels themselves, nodes that lead nothing, logs that begin later than at 0, segments in
     * remote storage.
     */
    RETENTION(2, "0.2");

    /** For tests of upgrades: a node reads and announces no more than this. */
    private static final String LIMIT = "fluss.test.newest-format-level";

    private final int number;
    private final String release;

    FormatLevel(int number, String release) {
        this.number = number;
        this.release = release;
    }

    public int number() {
        return number;
    }

    /** The first release that reads it. */
    public String release() {
        return release;
    }

    public boolean includes(FormatLevel other) {
        return number >= other.number;
    }

    /** The newest level that this process reads. */
    public static FormatLevel newestHere() {
        FormatLevel[] all = values();
        return all[Math.min(all.length, Integer.getInteger(LIMIT, all.length)) - 1];
    }

    /**
     * @param what has this level, for the message
     * @throws StorageException INCOMPATIBLE_VERSION when this process does not read it
     */
    public static FormatLevel readable(String what, int number) {
        FormatLevel newest = newestHere();
        if (number < 1 || number > newest.number) {
            throw new StorageException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    what
                            + " has format level "
                            + number
                            + "; this release reads levels 1 to "
                            + newest.number
                            + ". Install "
                            + (number < 1 || number > values().length
                                    ? "the release that wrote it, or a newer one,"
                                    : "release " + values()[number - 1].release + " or a newer one")
                            + " on this node");
        }
        return values()[number - 1];
    }
}
