package io.flinkfluss.verify.fault;

import io.flinkfluss.verify.cluster.Node;

/** Reads everything from a node whose files were damaged. */
public interface DamagedReplica {
    /**
     * What the node said, in a few words. Rows it serves have to be right; that is checked inside.
     */
    String read(Node node) throws InterruptedException;
}
