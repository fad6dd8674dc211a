package io.flinkfluss.storage.api.cluster;

/**
 * A node as the cluster knows it.
 *
 * @param isDraining whether it shall lead nothing
 * @param replicas groups of which it holds a replica; while it is being added or removed, not all
 * @param leads groups that it leads
 * @param writtenBytesPerSecond lately, in the groups that it leads
 */
public record ClusterNode(
        NodeAddress address,
        boolean isDraining,
        int replicas,
        int leads,
        long writtenBytesPerSecond) {}
