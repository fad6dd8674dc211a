package io.flinkfluss.storage.server;

import io.flinkfluss.storage.server.replication.Peer;
import io.flinkfluss.storage.server.runtime.CheckpointPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Everything that can be set, read once at the start by {@link ServerArguments}.
 *
 * @param shards how many shard groups a new data directory gets; empty for the number of cores, or
 *     what an existing directory has
 * @param peers all nodes of a new cluster, this one among them
 * @param electionTimeout a silent leader is replaced after once to one and a half times this time
 * @param lake settings that clients get as {@code lakeSettings()}, without {@code datalake.}
 */
public record ServerConfig(
        Path dataDir,
        Endpoint endpoint,
        OptionalInt shards,
        Peer self,
        List<Peer> peers,
        Duration electionTimeout,
        Writes writes,
        CheckpointPolicy checkpoints,
        Disk disk,
        Transport transport,
        Map<String, String> lake) {
    public ServerConfig {
        peers = List.copyOf(peers);
        lake = java.util.Collections.unmodifiableMap(new TreeMap<>(lake));
    }

    /**
     * Where the server listens.
     *
     * @param port 0 for any free one
     * @param advertisedHost what clients are told
     */
    public record Endpoint(String host, int port, String advertisedHost) {}

    /**
     * How writes are gathered and made durable.
     *
     * @param fsync whether an acknowledged write is on the disk
     * @param largestBatch bytes
     * @param timeout for one write or change of metadata
     */
    public record Writes(
            boolean fsync,
            int entryBytes,
            int entriesInFlight,
            int largestBatch,
            Duration timeout) {}

    /** When writes are refused to keep the disk from filling up. */
    public record Disk(double writeLimitRatio, long leastFreeBytes) {}

    /**
     * What moves over the network.
     *
     * @param nodeInFlightBytes taken in but not answered yet
     * @param streamInFlightBytes the same for one stream
     * @param fetchBytesPerSecond of checkpoints of other nodes
     */
    public record Transport(
            long nodeInFlightBytes, long streamInFlightBytes, long fetchBytesPerSecond) {}
}
