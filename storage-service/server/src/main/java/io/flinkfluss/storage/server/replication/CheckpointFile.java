package io.flinkfluss.storage.server.replication;

import java.nio.file.Path;

/**
 * A file of a checkpoint, or the beginning of one that still grows.
 *
 * @param name its place in any replica's checkpoint: words of letters, digits, dots, dashes and
 *     underscores, separated by slashes
 * @param path where it is on this node
 * @param length bytes that belong to the checkpoint
 */
public record CheckpointFile(String name, Path path, long length) {
    private static final String NAME =
            "[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*";

    public CheckpointFile {
        if (!isName(name) || length < 0) {
            throw new IllegalArgumentException(
                    "not a file of a checkpoint: " + name + " with " + length + " bytes");
        }
    }

    /** Whether a name that another node sent leads to a place inside the checkpoint's folder. */
    public static boolean isName(String name) {
        return name.length() <= 512 && name.matches(NAME);
    }
}
