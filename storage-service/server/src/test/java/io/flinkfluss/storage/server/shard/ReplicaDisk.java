package io.flinkfluss.storage.server.shard;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/** Where a simulated replica keeps its files. A real one does not fail. */
interface ReplicaDisk {
    Path folder();

    /** For one shard in the folder; whoever uses them closes them. */
    ShardResources newResources();

    /** After so many more changes every other fails, until the power is lost. */
    default void failAfter(int changes) {}

    /** Whether a change failed since the power was lost last. */
    default boolean hasFailed() {
        return false;
    }

    /** While no file is open: what was not made durable is kept, kept in part, or lost. */
    void losePower(Random random) throws IOException;
}
