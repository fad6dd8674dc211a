package io.flinkfluss.storage.server.membership;

/** What a data directory has to do with its cluster; part of the file VERSION. */
public enum DirectoryState {
    /** Empty: the node has never taken part in anything. */
    NEW,
    /** The node founds the cluster with the other nodes of {@code --peers}. */
    FOUNDING,
    /** The node waits until it is added to the cluster, and does not vote before. */
    JOINING,
    /** The node is part of the cluster, and promised it to forget nothing. */
    IN_USE
}
