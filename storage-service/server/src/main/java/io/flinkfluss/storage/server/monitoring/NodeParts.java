package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.server.metadata.MetadataState;
import io.flinkfluss.storage.server.replication.Proposer;
import io.flinkfluss.storage.server.replication.ReplicationNode;
import io.flinkfluss.storage.server.runtime.Checkpointer;
import io.flinkfluss.storage.server.runtime.DiskGuard;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import io.flinkfluss.storage.server.shard.ShardReads;
import io.flinkfluss.storage.server.shard.ShardResources;
import java.util.List;

/**
 * The parts of a node that are looked at.
 *
 * @param shards in the order of their numbers
 */
public record NodeParts(
        ReplicationNode replication,
        List<Group> groups,
        MetadataState metadata,
        List<ShardReads> shards,
        ShardResources resources,
        DiskGuard disk,
        ServerThreads threads) {
    public NodeParts {
        groups = List.copyOf(groups);
        shards = List.copyOf(shards);
    }

    /** A group's name and the parts that serve it here. */
    public record Group(String name, Proposer<?, ?> proposer, Checkpointer checkpointer) {}
}
