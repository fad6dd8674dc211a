package io.flinkfluss.storage.server.shard;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/** Where a simulated replica keeps its files. */
interface ReplicaDisk {
    Path folder();

    /** For one shard in the folder; whoever uses them closes them. */
    ShardResources newResources();

    /** While no file is open: what was not made durable is kept, kept in part, or lost. */
    void losePower(Random random) throws IOException;
}
