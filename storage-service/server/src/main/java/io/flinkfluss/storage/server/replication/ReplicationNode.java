package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.runtime.FaultHandler;
import io.flinkfluss.storage.server.runtime.MemoryFigures;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.io.netty.util.internal.PlatformDependent;

/**
 * This node's replicas of all groups. Opening it starts replication; {@link #awaitReady} returns
 * when this node can serve. May be used by any thread.
 */
public final class ReplicationNode implements AutoCloseable {
    /** Looks at a log that does not grow on disk, 20 s, before others shall take over. */
    private static final int PATIENCE = 100;

    /** The same, 60 s, when there are no others. */
    private static final int PATIENCE_ALONE = 300;

    private final RaftServer server;
    private final TermBounds terms;
    private final StaleElections elections;
    private final UnheardLeaders unheard;
    private final String self;
    private final Map<String, ReplicatedGroup> groups;
    private final List<ReplicatedState> states;
    private final PeerLinks links;
    private final Readiness readiness;
    private final Balancer balancer;
    private final GroupLoads loads;
    private final ServerClock clock;
    private final List<LogWatch> watches;
    private volatile Set<String> draining = Set.of();
    private volatile boolean closed;

    private ReplicationNode(
            OpenGroups open,
            List<ReplicatedState> states,
            ReplicationSettings settings,
            ServerClock clock,
            FaultHandler faults) {
        server = open.server();
        terms = open.terms();
        elections = open.elections();
        unheard = new UnheardLeaders(settings.longestSilence());
        int patience = settings.isAlone() ? PATIENCE_ALONE : PATIENCE;
        groups = open.groups();
        this.states = states;
        this.clock = clock;
        loads = new GroupLoads(groups.values());
        self = server.getId().toString();
        links = new PeerLinks(this::others, this::isSomethingMissing, this::reconnect);
        readiness = new Readiness(groups.values(), links, clock);
        balancer = new Balancer(self, groups.values(), () -> draining, clock);
        watches =
                groups.values().stream()
                        .map(group -> new LogWatch(group.name(), group.log(), patience, faults))
                        .toList();
        groups.values().forEach(group -> group.onLeadership(readiness::look));
        groups.values().forEach(this::keepFiles);
    }

    /**
     * Opens the groups; unknown ones are created with the given peers.
     *
     * @param states by group name; they are closed with this node
     * @param catchUp how checkpoints of other nodes are fetched
     * @throws StorageException CORRUPT_DATA when a log cannot be read, PORT_IN_USE
     */
    public static ReplicationNode open(
            ReplicationSettings settings,
            Map<String, ReplicatedState> states,
            CatchUp catchUp,
            ServerClock clock,
            FaultHandler faults) {
        return new ReplicationNode(
                OpenGroups.open(settings, states, catchUp, clock, faults),
                List.copyOf(states.values()),
                settings,
                clock,
                faults);
    }

    /** Opens the groups of a node whose replicas are never brought along by checkpoints. */
    public static ReplicationNode open(
            ReplicationSettings settings,
            Map<String, ReplicatedState> states,
            ServerClock clock,
            FaultHandler faults) {
        CatchUp never =
                (group, transfer, address, least) ->
                        CompletableFuture.failedFuture(
                                new StorageException(
                                        ErrorCode.UNSUPPORTED,
                                        "this node does not fetch checkpoints"));
        return open(settings, states, never, clock, faults);
    }

    public ReplicatedGroup group(String name) {
        return groups.get(name);
    }

    /** The nodes of the cluster as the group knows them, ordered by id. */
    public List<Peer> members(String group) {
        return Members.of(groups.get(group).division());
    }

    /** Counts changes of the group's nodes: the position of the last one in its log. */
    public long membership(String group) {
        return groups.get(group).division().getRaftConf().getLogEntryIndex();
    }

    /**
     * Gives the node a vote in the group after it has caught up; blocks. Does nothing when it has
     * one.
     *
     * @throws StorageException TIMEOUT, after which it may be sent again
     */
    public void addMember(String group, Peer peer, Duration deadline) {
        new MemberChange(groups.get(group).division(), deadline, clock).add(peer);
    }

    /**
     * Takes the node out of the group; blocks. Does nothing when it is not in it.
     *
     * @throws StorageException TIMEOUT, after which it may be sent again
     */
    public void removeMember(String group, String node, Duration deadline) {
        new MemberChange(groups.get(group).division(), deadline, clock).remove(node);
    }

    /**
     * Has the group's leader, wherever it is, hand over to the node; blocks.
     *
     * @throws StorageException NOT_READY when it leads on
     */
    public void moveLeader(String group, String node, Duration deadline) {
        new MemberChange(groups.get(group).division(), deadline, clock).moveLeader(node);
    }

    /** Names of all groups, in order. */
    public List<String> groupNames() {
        return List.copyOf(groups.keySet());
    }

    /** Bytes per second that were written to each group lately. */
    public Map<String, Long> loads() {
        return loads.perSecond();
    }

    /** What this node's member of the group knows now. */
    public GroupFigures figures(String name) {
        return GroupMember.figures(server, OpenGroups.id(name), groups.get(name));
    }

    /** Bytes of the network buffers of replication. */
    public static MemoryFigures memory() {
        return new MemoryFigures(
                PlatformDependent.usedDirectMemory(), PlatformDependent.maxDirectMemory());
    }

    /** How long the fsyncs of the group's log take. */
    public LogFlushes flushes(String name) {
        return GroupMember.flushes(server, OpenGroups.id(name));
    }

    /**
     * Waits until every group has a leader that is known here and everything is applied here that
     * was committed when it was asked; logs what is missing meanwhile.
     *
     * @param whileWaiting called every few seconds; what it throws ends the waiting
     * @throws StorageException NOT_READY after the deadline, naming the groups and peers
     */
    public void awaitReady(Duration deadline, Runnable whileWaiting) throws InterruptedException {
        readiness.await(deadline, whileWaiting);
    }

    public void awaitReady(Duration deadline) throws InterruptedException {
        awaitReady(deadline, () -> {});
    }

    /**
     * What a node is told that is no member any more.
     *
     * @param proof how that is known
     */
    public static StorageException removed(String proof) {
        return GroupErrors.removed(proof);
    }

    /**
     * Looks after the channels to the other nodes, whether the logs are written, and whether
     * leaders are heard; called five times a second by one thread.
     */
    public void step() {
        if (!closed) {
            links.step();
            watches.forEach(LogWatch::look);
            groups.values().forEach(group -> unheard.step(group.division()));
            groups.values().forEach(this::keepFiles);
        }
    }

    private void keepFiles(ReplicatedGroup group) {
        RaftServer.Division division = group.division();
        boolean unused =
                terms.covers(
                        division.getMemberId().getGroupId().getUuid(),
                        division.getInfo().getCurrentTerm());
        MemberFile.keep(division);
    }

    /** Makes the channels to all peers as elections use them, so that the first one is quick. */
    public void rehearseElections() {
        for (ReplicatedGroup group : groups.values()) {
            for (Peer peer : Members.of(group.division())) {
                if (!peer.id().equals(self)) {
                    VoteRehearsal.with(peer.id(), group.division());
                }
            }
        }
    }

    /**
     * Looks whether leaders lie evenly on the nodes, and hands one over if they do not; called
     * about once a second by one thread.
     *
     * @param drainingNodes nodes that shall lead nothing
     */
    public void balance(Set<String> drainingNodes) {
        draining = Set.copyOf(drainingNodes);
        loads.look();
        balancer.step();
    }

    /**
     * Hands over all that this node leads, because it stops or takes no writes; blocks. Returns
     * whether it leads nothing any more.
     *
     * @param unfit nodes that get nothing
     */
    public boolean leave(Duration deadline, Set<String> unfit) throws InterruptedException {
        return balancer.leave(deadline, unfit);
    }

    /** Stops replication, then closes the states. Make checkpoints before, to restart quickly. */
    @Override
    public void close() {
        RuntimeException failure = null;
        closed = true;
        links.close();
        elections.close();
        unheard.close();
        try {
            for (ReplicatedGroup group : groups.values()) {
                group.close();
            }
            server.close();
        } catch (IOException | RuntimeException e) {
            failure = new StorageException(ErrorCode.INTERNAL, "replication did not stop", e);
        }
        for (ReplicatedState state : states) {
            try {
                state.close();
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private List<Peer> others() {
        return groups.values().stream()
                .flatMap(group -> Members.of(group.division()).stream())
                .filter(peer -> !peer.id().equals(self))
                .collect(Collectors.toMap(Peer::id, peer -> peer, (a, b) -> a, TreeMap::new))
                .values()
                .stream()
                .toList();
    }

    /** Whether a group has no leader, or a follower of a group led here was not heard lately. */
    private boolean isSomethingMissing() {
        return groups.values().stream()
                .anyMatch(group -> Followers.isSomethingMissing(group.division()));
    }

    private void reconnect(String peer) {
        server.getServerRpc()
                .handleException(
                        RaftPeerId.valueOf(peer), new IOException("the peer was away"), true);
    }
}
