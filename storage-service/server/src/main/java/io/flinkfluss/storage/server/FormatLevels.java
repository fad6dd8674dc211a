package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.level.ClusterLevel;
import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.metadata.MetadataAnswer;
import io.flinkfluss.storage.server.metadata.MetadataCommand;
import io.flinkfluss.storage.server.replication.Peer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the cluster what this node reads, and raises the cluster's level when all nodes read more,
 * if this node leads the metadata. Any thread.
 */
final class FormatLevels {
    private static final Logger LOG = LoggerFactory.getLogger(FormatLevels.class);

    private final String self;
    private final Metadata metadata;
    private final Supplier<List<Peer>> members;
    private final AtomicBoolean running = new AtomicBoolean();

    FormatLevels(String self, Metadata metadata, Supplier<List<Peer>> members) {
        this.self = self;
        this.metadata = metadata;
        this.members = members;
    }

    /** Whether {@link #step} has anything to do. Never blocks. */
    boolean hasWork() {
        return !running.get() && (mustAnnounce() || mayRaise());
    }

    /** Announces or raises; blocks while that change of metadata is on its way. */
    void step() {
        if (!running.compareAndSet(false, true)) {
            return;
        }
        try {
            if (mustAnnounce()) {
                metadata.changeAnywhere(
                        new MetadataCommand.AnnounceLevel(self, FormatLevel.newestHere().number()),
                        MetadataAnswer.Done.class);
            }
            if (mayRaise()) {
                int level = readByAll();
                metadata.change(new MetadataCommand.RaiseLevel(level), MetadataAnswer.Done.class);
                LOG.info("every node reads format level {}, which is used from now on", level);
            }
        } catch (StorageException later) {
            LOG.debug("format levels stay as they are for now", later);
        } finally {
            running.set(false);
        }
    }

    private boolean mustAnnounce() {
        return cluster().announced(self) != FormatLevel.newestHere().number();
    }

    private boolean mayRaise() {
        return metadata.isLeader() && readByAll() > cluster().level().number();
    }

    private int readByAll() {
        return cluster().readByAll(members.get().stream().map(Peer::id).toList());
    }

    private ClusterLevel cluster() {
        return metadata.state().level();
    }
}
