package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.kv.KvConfig;
import io.flinkfluss.storage.server.log.LogConfig;
import io.flinkfluss.storage.server.membership.DirectoryState;
import io.flinkfluss.storage.server.metadata.MetadataState;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.ReplicatedState;
import io.flinkfluss.storage.server.replication.ReplicationNode;
import io.flinkfluss.storage.server.replication.ReplicationSettings;
import io.flinkfluss.storage.server.replication.ReplicationSettings.Durability;
import io.flinkfluss.storage.server.runtime.FaultHandler;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import io.flinkfluss.storage.server.shard.ShardConfig;
import io.flinkfluss.storage.server.shard.ShardResources;
import io.flinkfluss.storage.server.shard.ShardState;
import io.flinkfluss.storage.server.transfer.CatchUpQueue;
import io.flinkfluss.storage.server.transfer.CheckpointLeases;
import io.flinkfluss.storage.server.transport.PeerChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node has opened before anything runs: its replicas of all groups, from the data directory,
 * and what they share. {@link StorageNode} makes them work and closes them.
 */
record NodeState(
        MetadataState metadata,
        List<ShardState> shards,
        ShardResources resources,
        CheckpointLeases leases,
        ReplicationNode replication,
        Housekeeping housekeeping) {
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final int CHECKPOINT_THREADS = 8;
    private static final int ENTRY_OVERHEAD = 256 * 1024;

    /**
     * Damaged shards are fetched from other nodes here, if there are any.
     *
     * @throws StorageException CORRUPT_DATA naming the file
     */
    static NodeState open(
            ServerConfig config,
            DataDirectory directory,
            ServerThreads threads,
            ServerClock clock,
            FaultHandler faults) {
        long heap = Runtime.getRuntime().maxMemory();
        Housekeeping housekeeping = new Housekeeping(config, threads, clock);
        ShardResources resources =
                new ShardResources(
                        KvConfig.DEFAULT.forStores(directory.shards()),
                        Math.max(64L << 20, heap / 4),
                        threads.newPool("fluss-checkpoint", CHECKPOINT_THREADS),
                        housekeeping.reads());
        ShardConfig shardConfig =
                new ShardConfig(
                        new LogConfig(config.logs().segmentBytes(), LogConfig.DEFAULT.openFiles()),
                        config.writes().largestBatch(),
                        ShardConfig.DEFAULT.maxAnswerBytes());
        Map<String, ReplicatedState> states = new LinkedHashMap<>();
        List<ShardState> shards = new ArrayList<>();
        try {
            MetadataState metadata = MetadataState.open(directory.metadata());
            metadata.onLevel(() -> directory.raise(metadata.level().level()));
            states.put(RunningGroup.METADATA, metadata);
            Pace pace = new Pace(clock, config.transport().fetchBytesPerSecond());
            ShardOpener opener =
                    new ShardOpener(
                            shardConfig,
                            resources,
                            directory.raft(),
                            config.peers().stream()
                                    .filter(peer -> !peer.equals(config.self()))
                                    .toList(),
                            PeerChannel::connect,
                            pace,
                            clock);
            for (int i = 0; i < directory.shards(); i++) {
                ShardState shard = opener.open(RunningGroup.shardName(i), directory.shard(i));
                shards.add(shard);
                states.put(RunningGroup.shardName(i), shard);
            }
            CatchUpQueue catchUp = new CatchUpQueue(PeerChannel::connect, pace, clock);
            Thread unused = threads.loop("fluss-catch-up", catchUp::run);
            ReplicationNode replication =
                    ReplicationNode.open(
                            settings(config, directory), states, catchUp, clock, faults);
            return new NodeState(
                    metadata, shards, resources, leases(states, clock), replication, housekeeping);
        } catch (RuntimeException failure) {
            states.values().forEach(ReplicatedState::close);
            resources.close();
            housekeeping.close();
            throw failure;
        }
    }

    private static CheckpointLeases leases(Map<String, ReplicatedState> states, ServerClock clock) {
        Map<String, CheckpointTransfer> transfers = new LinkedHashMap<>();
        states.forEach(
                (name, state) -> state.transfer().ifPresent(found -> transfers.put(name, found)));
        return new CheckpointLeases(transfers::get, clock, LEASE);
    }

    private static ReplicationSettings.Beginning beginning(
            ServerConfig config, DataDirectory directory) {
        if (directory.state() == DirectoryState.NEW) {
            if (config.peers().size() > 1) {
                throw new IllegalStateException("nodes found a cluster together");
            }
            directory.found(directory.shards(), Map.of(config.self().id(), directory.id()));
        }
        return switch (directory.state()) {
            case NEW, FOUNDING -> ReplicationSettings.Beginning.FOUND;
            case JOINING -> ReplicationSettings.Beginning.JOIN;
            case IN_USE -> ReplicationSettings.Beginning.CONTINUE;
        };
    }

    private static ReplicationSettings settings(ServerConfig config, DataDirectory directory) {
        return new ReplicationSettings(
                directory.raft(),
                beginning(config, directory),
                config.self(),
                config.peers(),
                config.endpoint().host(),
                config.writes().fsync() ? Durability.DISK : Durability.OPERATING_SYSTEM,
                config.electionTimeout(),
                Math.max(config.writes().largestBatch(), config.writes().entryBytes())
                        + ENTRY_OVERHEAD);
    }
}
