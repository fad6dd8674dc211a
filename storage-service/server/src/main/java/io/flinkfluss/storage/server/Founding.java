package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.membership.DirectoryState;
import io.flinkfluss.storage.server.membership.Formation;
import io.flinkfluss.storage.server.membership.Introduction;
import io.flinkfluss.storage.server.replication.Peer;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.transport.IntroductionServer;
import io.flinkfluss.storage.server.transport.PeerChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of a node with an empty data directory: talks to the other nodes of {@code --peers}
 * until it is clear whether it founds a cluster with them or joins theirs, and notes that in the
 * directory. For one thread.
 */
final class Founding {
    private static final Logger LOG = LoggerFactory.getLogger(Founding.class);

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration QUESTION = Duration.ofSeconds(5);
    private static final long PAUSE_MILLIS = 200;

    private final ServerConfig config;
    private final DataDirectory directory;
    private final ServerClock clock;

    /** Waited on between two rounds of questions. */
    private final Object pause = new Object();

    /** New nodes that answered once, by id. They need not all answer at the same time. */
    private final Map<String, Introduction> newNodes = new TreeMap<>();

    private volatile String waitingFor = "the other nodes have not been asked yet";

    Founding(ServerConfig config, DataDirectory directory, ServerClock clock) {
        this.config = config;
        this.directory = directory;
        this.clock = clock;
    }

    /**
     * Returns when the directory is not new any more.
     *
     * @throws StorageException INVALID_REQUEST when the node must not start like this; NOT_READY
     *     when the other nodes are not there in time
     */
    void run() throws InterruptedException {
        if (directory.state() != DirectoryState.NEW) {
            return;
        }
        if (config.peers().size() == 1) {
            directory.found(directory.shards(), Map.of(config.self().id(), directory.id()));
            return;
        }
        IntroductionServer server =
                IntroductionServer.start(
                        config.endpoint().host(),
                        config.endpoint().port(),
                        this::introduction,
                        () -> waitingFor);
        try {
            decide();
        } finally {
            server.close();
        }
    }

    private void decide() throws InterruptedException {
        long end = clock.nanos() + PATIENCE.toNanos();
        while (true) {
            Formation.Decision decision = Formation.decide(introduction(), answers());
            switch (decision.step()) {
                case FOUND -> {
                    requireShards(decision.shards());
                    directory.found(decision.shards(), decision.founders());
                    LOG.info(
                            "founding a cluster of nodes {} with {} shards",
                            decision.founders().keySet(),
                            decision.shards());
                    return;
                }
                case JOIN -> {
                    requireShards(decision.shards());
                    directory.join(decision.shards());
                    LOG.info(
                            "a cluster with {} shards exists; this node waits to be added: bin/fluss"
                                    + " nodes add {}",
                            decision.shards(),
                            LocalClusterAdmin.address(config.self()));
                    return;
                }
                case WAIT -> waitBecause(decision.why(), end);
            }
        }
    }

    private void waitBecause(String why, long end) throws InterruptedException {
        if (!why.equals(waitingFor)) {
            LOG.info("waiting: {}", why);
            waitingFor = why;
        }
        if (end - clock.nanos() <= 0) {
            throw new StorageException(
                    ErrorCode.NOT_READY,
                    why + ". Gave up after " + PATIENCE.toMinutes() + " min; nothing was changed");
        }
        synchronized (pause) {
            TimeUnit.MILLISECONDS.timedWait(pause, PAUSE_MILLIS);
        }
    }

    private void requireShards(int found) {
        if (config.shards().isPresent() && config.shards().getAsInt() != found) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "--shards "
                            + config.shards().getAsInt()
                            + " was given, but the other nodes have "
                            + found
                            + " shards; give all nodes the same, or leave --shards out");
        }
    }

    private Map<String, Introduction> answers() {
        Map<String, Introduction> answers = new TreeMap<>(newNodes);
        for (Peer peer : config.peers()) {
            if (!peer.id().equals(config.self().id())) {
                try {
                    answers.put(
                            peer.id(),
                            PeerChannel.introduction(peer.host() + ":" + peer.port(), QUESTION));
                } catch (StorageException silent) {
                    LOG.debug("peer {} does not introduce itself", peer.id(), silent);
                }
            }
        }
        answers.forEach(
                (id, answer) -> {
                    if (answer.state() == DirectoryState.NEW) {
                        newNodes.put(id, answer);
                    }
                });
        return answers;
    }

    private Introduction introduction() {
        return introduction(config, directory, List.copyOf(directory.founders().keySet()), false);
    }

    /** What this node says of itself. */
    static Introduction introduction(
            ServerConfig config, DataDirectory directory, List<String> members, boolean isCurrent) {
        return new Introduction(
                config.self().id(),
                directory.id(),
                directory.state(),
                directory.shards(),
                FormatLevel.newestHere().number(),
                config.peers().stream().map(Peer::id).toList(),
                directory.founders(),
                members,
                isCurrent);
    }
}
