package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.LogStart;
import io.flinkfluss.storage.server.replication.Peer;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.shard.ShardConfig;
import io.flinkfluss.storage.server.shard.ShardResources;
import io.flinkfluss.storage.server.shard.ShardState;
import io.flinkfluss.storage.server.transfer.CheckpointFetcher;
import io.flinkfluss.storage.server.transfer.PeerCheckpoints;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens shards. One of which no checkpoint is sound gets another node's, before it takes part in
 * its group again: its own log, which is sound, goes on after it, so that this node keeps every
 * entry it ever confirmed.
 */
final class ShardOpener {
    private static final Logger LOG = LoggerFactory.getLogger(ShardOpener.class);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final long PAUSE_MILLIS = 500;

    private final ShardConfig config;
    private final ShardResources resources;
    private final Path logs;
    private final List<Peer> others;
    private final PeerCheckpoints.Connector connector;
    private final Pace pace;
    private final ServerClock clock;

    /**
     * @param logs folder of the replicated logs
     * @param others nodes that may have sound checkpoints; none when this node is alone
     */
    ShardOpener(
            ShardConfig config,
            ShardResources resources,
            Path logs,
            List<Peer> others,
            PeerCheckpoints.Connector connector,
            Pace pace,
            ServerClock clock) {
        this.config = config;
        this.resources = resources;
        this.logs = logs;
        this.others = List.copyOf(others);
        this.connector = connector;
        this.pace = pace;
        this.clock = clock;
    }

    /**
     * @throws StorageException CORRUPT_DATA when the shard is damaged and no other node could help
     */
    ShardState open(String group, Path folder) {
        try {
            return ShardState.open(folder, config, resources);
        } catch (StorageException damage) {
            if (damage.code() != ErrorCode.CORRUPT_DATA || others.isEmpty()) {
                throw damage;
            }
            LOG.error(
                    "{} is damaged and is fetched from another node: {}",
                    group,
                    damage.getMessage());
            fetch(group, ShardState.receiver(folder), damage);
            return ShardState.open(folder, config, resources);
        }
    }

    private void fetch(String group, CheckpointTransfer receiver, StorageException damage) {
        long least = LogStart.lastMissing(logs, group);
        long end = clock.nanos() + PATIENCE.toNanos();
        while (!fetchFromAny(group, receiver, least)) {
            if (clock.nanos() > end) {
                throw damage;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                throw damage;
            }
        }
        receiver.install();
    }

    private boolean fetchFromAny(String group, CheckpointTransfer receiver, long least) {
        for (Peer other : others) {
            String address = other.host() + ":" + other.port();
            try (PeerCheckpoints peer = connector.connect(address)) {
                new CheckpointFetcher(peer, pace, clock).fetch(group, receiver, least);
                return true;
            } catch (StorageException failed) {
                LOG.warn("no checkpoint of {} from {}: {}", group, address, failed.getMessage());
            }
        }
        return false;
    }
}
