package io.flinkfluss.storage.server;

import static io.flinkfluss.storage.server.RunningGroup.METADATA;

import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.replication.ReplicationNode;
import io.flinkfluss.storage.server.runtime.DiskGuard;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node of a cluster does of itself every so often, and once when it begins to serve: it
 * looks after its peers, spreads leaders, leads nothing while its disk is full, drops what metadata
 * no longer knows and follows the cluster's format level. Each is tried again when it fails. Any
 * thread.
 */
final class NodeUpkeep {
    private static final Logger LOG = LoggerFactory.getLogger(NodeUpkeep.class);

    /** How often the disk is looked at; writers of a full one wait that long for its successor. */
    static final Duration DISK_LOOKS = Duration.ofMillis(250);

    private static final Duration HAND_OVER = Duration.ofSeconds(3);

    private final String self;
    private final ServerThreads threads;
    private final ReplicationNode replication;
    private final Metadata metadata;
    private final Shards shards;
    private final FormatLevels formatLevels;
    private final DiskGuard disk;

    /** Whether this node leads nothing because its disk is full, not because somebody asked. */
    private final AtomicBoolean yields = new AtomicBoolean();

    NodeUpkeep(
            String self,
            ServerThreads threads,
            ReplicationNode replication,
            Metadata metadata,
            Shards shards,
            DiskGuard disk) {
        this.self = self;
        this.threads = threads;
        this.replication = replication;
        this.metadata = metadata;
        this.shards = shards;
        this.disk = disk;
        formatLevels = new FormatLevels(self, metadata, () -> replication.members(METADATA));
    }

    void start() {
        dropLeftoversSoon();
        soon("this node stays marked as draining", this::takePartAgain);
        soon("the first election may be slower", replication::rehearseElections);
        every(Duration.ofMillis(500), "comparing format levels", this::compareFormatLevels);
        every(Duration.ofMillis(200), "looking after the peers", replication::step);
        every(Duration.ofSeconds(1), "spreading leaders", this::spreadLeaders);
        every(DISK_LOOKS, "leading only with space", this::lookAtTheDisk);
        every(Duration.ofSeconds(60), "dropping leftovers", this::dropLeftoversSoon);
    }

    /** Has shards led here forget tables that metadata no longer knows. */
    void dropLeftoversSoon() {
        soon("leftovers of dropped tables stay for now", shards::dropLeftovers);
    }

    private void compareFormatLevels() {
        if (formatLevels.hasWork()) {
            soon("format levels stay as they are for now", formatLevels::step);
        }
    }

    /** A node that was drained and starts again may lead again. */
    private void takePartAgain() {
        if (metadata.current().draining().contains(self)) {
            metadata.setDraining(self, false);
        }
    }

    private void lookAtTheDisk() {
        boolean canBeSaid = metadata.state().level().level().includes(FormatLevel.RETENTION);
        boolean hasOthers = replication.members(METADATA).size() > 1;
        if (disk.figures().refusesWrites() != yields.get() && hasOthers && canBeSaid) {
            soon("this node leads as before", this::yieldOrLead);
        }
    }

    /**
     * A leader refuses writes while its disk is full; a node with space takes them: what is led
     * here is handed over at once, and the mark keeps it there.
     */
    private void yieldOrLead() {
        boolean full = disk.figures().refusesWrites();
        boolean drains = metadata.state().draining().contains(self);
        if (full && drains && !yields.get()) {
            // Somebody asked for it, and will end it.
            return;
        }
        if (full) {
            handOver();
        }
        if (full != drains) {
            metadata.setDraining(self, full);
            LOG.info(full ? "leading nothing while the disk is full" : "leading again");
        }
        yields.set(full);
    }

    private void handOver() {
        try {
            if (!replication.leave(HAND_OVER, metadata.state().draining())) {
                LOG.info("no other node can take what is led here now; tried again every second");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void spreadLeaders() {
        replication.balance(metadata.state().draining());
    }

    private void every(Duration pause, String what, Runnable task) {
        var unused = threads.every(pause, what, task);
    }

    /** Off the calling thread, because it may wait for other nodes. */
    private void soon(String otherwise, Runnable task) {
        threads.requests()
                .execute(
                        () -> {
                            try {
                                task.run();
                            } catch (RuntimeException failure) {
                                LOG.warn("{}", otherwise, failure);
                            }
                        });
    }
}
