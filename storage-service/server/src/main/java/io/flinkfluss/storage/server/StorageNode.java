package io.flinkfluss.storage.server;

import static io.flinkfluss.storage.server.RunningGroup.METADATA;
import static io.flinkfluss.storage.server.RunningGroup.shardName;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableRules;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.server.membership.DirectoryState;
import io.flinkfluss.storage.server.membership.Introduction;
import io.flinkfluss.storage.server.metadata.MetadataCommands;
import io.flinkfluss.storage.server.monitoring.NodeParts;
import io.flinkfluss.storage.server.replication.CommandCodec;
import io.flinkfluss.storage.server.replication.Peer;
import io.flinkfluss.storage.server.replication.Proposer;
import io.flinkfluss.storage.server.replication.ReplicationNode;
import io.flinkfluss.storage.server.runtime.DiskGuard;
import io.flinkfluss.storage.server.runtime.FaultHandler;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import io.flinkfluss.storage.server.shard.ShardReads;
import io.flinkfluss.storage.server.shard.ShardResources;
import io.flinkfluss.storage.server.transfer.CheckpointLeases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node without its transport: the data directory's metadata and shards, replicated, with
 * checkpoints and the disk guard running. {@link #open} returns when everything that was ever
 * acknowledged is applied.
 */
final class StorageNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StorageNode.class);
    private static final Duration READY_DEADLINE = Duration.ofMinutes(10);

    /** A new node waits so long to be added. */
    private static final Duration JOIN_DEADLINE = Duration.ofDays(7);

    private static final Duration CURRENT_MEMBERS = Duration.ofMillis(1_500);
    private static final Duration LEAVE_DEADLINE = Duration.ofSeconds(5);
    private static final long LAST_CHECKPOINT_SECONDS = 60;

    /** How many commands wait for other nodes at once, at most. */
    private static final int FORWARD_THREADS = 4;

    private final ServerConfig config;
    private final ServerThreads threads;
    private final ShardResources resources;
    private final ReplicationNode replication;
    private final ServerClock clock;
    private final List<RunningGroup> groups = new ArrayList<>();
    private final Metadata metadata;
    private final Shards shards;
    private final NodeUpkeep upkeep;
    private final LocalStorageService service;
    private final Housekeeping housekeeping;
    private final List<Housekeeping.Kept> kept;
    private final DiskGuard disk;
    private final CheckpointLeases leases;
    private final Monitoring monitoring;
    private final DataDirectory directory;
    private volatile boolean ready;

    private StorageNode(
            ServerConfig config,
            DataDirectory directory,
            NodeState state,
            ServerThreads threads,
            ServerClock clock,
            DiskGuard disk,
            Monitoring monitoring) {
        this.config = config;
        this.directory = directory;
        this.monitoring = monitoring;
        this.threads = threads;
        this.clock = clock;
        this.disk = disk;
        resources = state.resources();
        leases = state.leases();
        housekeeping = state.housekeeping();
        replication = state.replication();
        Duration deadline = config.writes().timeout();
        metadata =
                new Metadata(
                        state.metadata(),
                        run(METADATA, new MetadataCommands()),
                        replication.group(METADATA),
                        clock,
                        deadline);
        List<Shard> members = new ArrayList<>();
        Executor forwarding = threads.newPool("fluss-forward", FORWARD_THREADS);
        for (int i = 0; i < state.shards().size(); i++) {
            members.add(
                    new Shard(
                            state.shards().get(i).reads(),
                            run(shardName(i), new ShardCodec()),
                            replication.group(shardName(i)),
                            state.metadata().level(),
                            forwarding));
        }
        shards = new Shards(metadata, members, clock, deadline);
        kept = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            kept.add(new Housekeeping.Kept(i, members.get(i), state.shards().get(i).logs()));
        }
        upkeep = new NodeUpkeep(config.self().id(), threads, replication, metadata, shards, disk);
        state.metadata().onDrop(upkeep::dropLeftoversSoon);
        LocalWriters writers =
                new LocalWriters(metadata, shards, disk, config.writes().largestBatch());
        service =
                new LocalStorageService(
                        new LocalTableAdmin(
                                metadata,
                                shards,
                                disk,
                                new TableRules.Service(config.peers().size(), config.lake())),
                        writers,
                        new LocalLogReader(shards, clock, deadline),
                        writers,
                        new LocalKvReader(metadata, shards, threads.workers(), clock, deadline),
                        new LocalLakeProgress(metadata),
                        new LocalClusterAdmin(
                                config.self().id(),
                                metadata,
                                replication,
                                METADATA,
                                threads.requests()));
    }

    /**
     * Opens the node and waits until it is ready.
     *
     * @throws StorageException CORRUPT_DATA naming the file, NOT_READY
     */
    static StorageNode open(
            ServerConfig config,
            DataDirectory directory,
            ServerThreads threads,
            ServerClock clock,
            FaultHandler faults)
            throws InterruptedException {
        StorageNode node = begin(config, directory, threads, clock, faults);
        try {
            node.awaitReady();
            return node;
        } catch (RuntimeException | InterruptedException failure) {
            node.close();
            throw failure;
        }
    }

    /**
     * Opens the node. Other nodes can fetch its checkpoints; {@link #awaitReady} before anything
     * else is asked of it.
     *
     * @throws StorageException CORRUPT_DATA naming the file
     */
    static StorageNode begin(
            ServerConfig config,
            DataDirectory directory,
            ServerThreads threads,
            ServerClock clock,
            FaultHandler faults) {
        DiskGuard disk =
                new DiskGuard(
                        DiskGuard.of(config.dataDir()),
                        config.dataDir().toString(),
                        config.disk().writeLimitRatio(),
                        config.disk().leastFreeBytes());
        disk.look();
        Monitoring monitoring = Monitoring.start(config, clock, threads);
        try {
            NodeState state = NodeState.open(config, directory, threads, clock, faults);
            return new StorageNode(config, directory, state, threads, clock, disk, monitoring);
        } catch (RuntimeException failure) {
            monitoring.close();
            throw failure;
        }
    }

    /**
     * Waits until everything that was ever acknowledged is applied here.
     *
     * @throws StorageException NOT_READY
     */
    void awaitReady() throws InterruptedException {
        boolean joins = directory.state() == DirectoryState.JOINING;
        replication.awaitReady(
                joins ? JOIN_DEADLINE : READY_DEADLINE, new RemovalCheck(config, directory)::run);
        warnOfOtherPeers();
        start();
        ready = true;
    }

    boolean isReady() {
        return ready;
    }

    /** The cluster's list of nodes is the one that counts; {@code --peers} may be older. */
    private void warnOfOtherPeers() {
        List<Peer> members = replication.members(METADATA);
        if (members.size() > 1 && !Set.copyOf(members).equals(Set.copyOf(config.peers()))) {
            LOG.warn(
                    "--peers names {}, but the nodes of the cluster are {}, which is what counts;"
                            + " correct --peers when this node is started the next time",
                    config.peers(),
                    members);
        }
    }

    /** What other nodes are told; waits a moment for a majority to confirm it. */
    Introduction introduction() {
        Set<String> members = new TreeSet<>(directory.founders().keySet());
        boolean current = false;
        if (directory.state() != DirectoryState.JOINING) {
            current = knowsCurrentMembers();
            if (current) {
                members.clear();
            }
            groups.forEach(
                    group ->
                            replication
                                    .members(group.name())
                                    .forEach(peer -> members.add(peer.id())));
        }
        return Founding.introduction(config, directory, List.copyOf(members), current);
    }

    private boolean knowsCurrentMembers() {
        try {
            CompletableFuture.allOf(
                            groups.stream()
                                    .map(each -> each.group().barrier())
                                    .toArray(CompletableFuture[]::new))
                    .get(CURRENT_MEMBERS.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException unknown) {
            return false;
        }
    }

    /** This node's checkpoints, for other nodes. */
    CheckpointLeases checkpointLeases() {
        return leases;
    }

    StorageService service() {
        return service;
    }

    /** The service, counted and timed. Once. */
    StorageService meteredService() {
        return monitoring.metered(service, parts());
    }

    Monitoring monitoring() {
        return monitoring;
    }

    private NodeParts parts() {
        List<NodeParts.Group> looked =
                groups.stream()
                        .map(
                                each ->
                                        new NodeParts.Group(
                                                each.name(), each.proposer(), each.checkpointer()))
                        .toList();
        return new NodeParts(
                replication,
                looked,
                metadata.state(),
                shards.all().stream().map(Shard::reads).toList(),
                resources,
                disk,
                threads);
    }

    /** What this node's replica of a shard holds, whoever leads it. */
    ShardReads shardReads(int shard) {
        return shards.all().get(shard).reads();
    }

    /** The current schema of a table. @throws StorageException TABLE_NOT_FOUND */
    Schema schema(TableId table) {
        return shards.table(table).schema();
    }

    /** Who leads what, as this node knows it. */
    ClusterView view(int port) {
        List<ClusterView.Leadership> leaders = new ArrayList<>();
        for (int i = 0; i < shards.count(); i++) {
            leaders.add(replication.group(shardName(i)).leadership());
        }
        return new ClusterView(
                nodes(port),
                replication.membership(METADATA),
                replication.group(METADATA).leadership(),
                leaders);
    }

    private List<ClusterView.Node> nodes(int port) {
        List<Peer> members = replication.members(METADATA);
        if (members.size() == 1) {
            // Alone, the port may have been chosen by the system.
            String host = config.endpoint().advertisedHost();
            return List.of(new ClusterView.Node(config.self().id(), host, port));
        }
        return members.stream()
                .map(peer -> new ClusterView.Node(peer.id(), peer.host(), peer.port()))
                .toList();
    }

    /** Hands over what this node leads, so that others go on at once when it stops. */
    void leave() {
        if (replication.members(METADATA).size() == 1) {
            return;
        }
        try {
            if (!replication.leave(LEAVE_DEADLINE, Set.of())) {
                LOG.info("some shards are led here to the end: no other node can take them");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes the state of every group durable, so that the next start is quick. */
    void checkpoint() {
        monitoring.stopping();
        housekeeping.stop();
        List<CompletableFuture<?>> checkpoints = new ArrayList<>();
        groups.forEach(group -> checkpoints.add(group.checkpoint()));
        try {
            CompletableFuture.allOf(checkpoints.toArray(CompletableFuture[]::new))
                    .get(LAST_CHECKPOINT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception failure) {
            LOG.warn("no checkpoint at the end; the next start replays more", failure);
        }
    }

    /** Ends replication and closes all files. */
    @Override
    public void close() {
        monitoring.close();
        groups.forEach(group -> group.proposer().close());
        leases.close();
        try {
            replication.close();
        } finally {
            resources.close();
            housekeeping.close();
        }
    }

    private <C, A> Proposer<C, A> run(String name, CommandCodec<C, A> codec) {
        Proposer<C, A> proposer =
                RunningGroup.proposer(config, replication.group(name), codec, clock);
        groups.add(RunningGroup.start(config, replication.group(name), proposer, threads, clock));
        return proposer;
    }

    private void start() {
        upkeep.start();
        var unusedLeases = threads.every(Duration.ofSeconds(5), "ending leases", leases::expire);
        var unusedDisk = threads.every(NodeUpkeep.DISK_LOOKS, "looking at the disk", disk::look);
        housekeeping.start(kept, metadata);
        for (RunningGroup group : groups) {
            var unused =
                    threads.every(
                            Duration.ofMillis(200), "a checkpoint", group.checkpointer()::step);
        }
    }
}
