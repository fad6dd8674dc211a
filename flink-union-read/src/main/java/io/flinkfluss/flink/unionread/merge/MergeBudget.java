package io.flinkfluss.flink.unionread.merge;

import java.nio.file.Path;

/**
 * What one merge may use.
 *
 * @param memoryBytes bytes of folded changes to hold before spilling to disk
 * @param spillFolder where spill files go; each merge makes and removes its own folder in it
 */
public record MergeBudget(long memoryBytes, Path spillFolder) {
    public MergeBudget {
        if (memoryBytes < 1) {
            throw new IllegalArgumentException(
                    "a merge needs a memory of 1 byte or more, not " + memoryBytes);
        }
    }
}
