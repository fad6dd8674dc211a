package io.flinkfluss.storage.server.replication;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds peers that have come back. The channels of Ratis wait longer and longer, up to two minutes,
 * before they try a peer again that was away, and a channel that was cut waits for TCP to send
 * again; meanwhile votes fail though the peer is there. So, while something is missing, each step
 * tries the peers' ports, and a channel is made anew when its peer answers after it did not. Never
 * blocks; one thread at a time.
 */
final class PeerLinks {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLinks.class);

    /**
     * Steps until a peer counts as silent: on a busy machine a sound connection may take this long,
     * and making channels anew that work would keep the node from ever catching up.
     */
    private static final int PATIENCE = 5;

    private final Supplier<List<Peer>> peers;
    private final BooleanSupplier needed;
    private final Consumer<String> reconnect;

    /** Guards the links. */
    private final Object lock = new Object();

    private final Map<String, Link> links = new LinkedHashMap<>();

    /**
     * @param peers all but this node
     * @param needed whether anything is missing, so that looking is worth it
     * @param reconnect makes the channel to a peer anew
     */
    PeerLinks(Supplier<List<Peer>> peers, BooleanSupplier needed, Consumer<String> reconnect) {
        this.peers = peers;
        this.needed = needed;
        this.reconnect = reconnect;
    }

    /** Takes up the last tries and begins new ones. */
    void step() {
        List<String> back = new ArrayList<>();
        boolean look = needed.getAsBoolean();
        synchronized (lock) {
            for (Peer peer : peers.get()) {
                Link link = links.computeIfAbsent(peer.id(), id -> new Link(peer));
                if (link.takeUp()) {
                    back.add(peer.id());
                }
                if (look || link.silent) {
                    link.begin(peer);
                }
            }
        }
        for (String peer : back) {
            LOG.info("peer {} answers again", peer);
            reconnect.accept(peer);
        }
    }

    /** Peers that did not answer the last try. */
    List<String> silent() {
        synchronized (lock) {
            return links.values().stream()
                    .filter(link -> link.silent)
                    .map(link -> link.address)
                    .toList();
        }
    }

    void close() {
        synchronized (lock) {
            links.values().forEach(Link::end);
        }
    }

    /** One peer, and the try that is under way. */
    private static final class Link {
        private String address;
        private SocketChannel attempt;

        /** Since the attempt began. */
        private int steps;

        private boolean silent;

        Link(Peer peer) {
            address = describe(peer);
        }

        private static String describe(Peer peer) {
            return peer.id() + " at " + peer.host() + ":" + peer.raftPort();
        }

        /** Returns whether the peer answers after it did not. */
        boolean takeUp() {
            if (attempt == null) {
                return false;
            }
            boolean was = silent;
            try {
                silent = !attempt.finishConnect();
                if (silent && ++steps < PATIENCE) {
                    silent = was;
                    return false;
                }
            } catch (IOException refused) {
                silent = true;
            }
            end();
            return was && !silent;
        }

        void begin(Peer peer) {
            address = describe(peer);
            if (attempt != null) {
                return;
            }
            steps = 0;
            try {
                attempt = SocketChannel.open();
                attempt.configureBlocking(false);
                attempt.connect(new InetSocketAddress(peer.host(), peer.raftPort()));
            } catch (IOException | RuntimeException refused) {
                silent = true;
                end();
            }
        }

        void end() {
            if (attempt != null) {
                try {
                    attempt.close();
                } catch (IOException alreadyGone) {
                    LOG.debug("a try to reach {} did not close", address, alreadyGone);
                }
                attempt = null;
            }
        }
    }
}
