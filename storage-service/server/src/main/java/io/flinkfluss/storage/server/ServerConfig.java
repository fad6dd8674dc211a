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
        Logs logs,
        Monitoring monitoring,
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
     * How the node is seen from outside.
     *
     * @param port empty for none
     * @param fallBack whether any free port will do when that one is taken
     */
    public record Monitoring(String host, OptionalInt port, boolean fallBack, int mostTables) {}

    /**
     * What moves over the network.
     *
     * @param nodeInFlightBytes taken in but not answered yet
     * @param streamInFlightBytes the same for one stream
     * @param fetchBytesPerSecond of checkpoints of other nodes
     */
    public record Transport(
            long nodeInFlightBytes, long streamInFlightBytes, long fetchBytesPerSecond) {}

    /**
     * How bucket logs are kept.
     *
     * @param segmentBytes a segment that would grow past this is closed
     * @param readerPatience how long old rows are kept for a reader that makes no progress
     * @param interval between looks at what is to be given up or copied
     */
    public record Logs(
            long segmentBytes, Duration readerPatience, Duration interval, Remote remote) {}

    /**
     * Where complete segments are copied to.
     *
     * @param folder empty for nowhere
     * @param settings of its file system, which may hold secrets
     * @param segmentsAtOnce that one shard copies in one go
     * @param threads that copy, and as many that read
     * @param bytesPerSecond that are copied at most
     * @param cacheBytes of blocks that were read
     * @param deleteGrace how long an object must be unknown before it is deleted
     */
    public record Remote(
            String folder,
            Map<String, String> settings,
            int segmentsAtOnce,
            int threads,
            long bytesPerSecond,
            long cacheBytes,
            Duration deleteGrace) {
        @Override
        public String toString() {
            return "Remote[" + folder + "]";
        }
    }
}
