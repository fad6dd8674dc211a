package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableRules;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.server.kv.KvConfig;
import io.flinkfluss.storage.server.log.LogConfig;
import io.flinkfluss.storage.server.membership.DirectoryState;
import io.flinkfluss.storage.server.membership.Introduction;
import io.flinkfluss.storage.server.metadata.MetadataCommands;
import io.flinkfluss.storage.server.metadata.MetadataState;
import io.flinkfluss.storage.server.monitoring.NodeParts;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.CommandCodec;
import io.flinkfluss.storage.server.replication.Peer;
import io.flinkfluss.storage.server.replication.Proposer;
import io.flinkfluss.storage.server.replication.ProposerLimits;
import io.flinkfluss.storage.server.replication.ReplicatedGroup;
import io.flinkfluss.storage.server.replication.ReplicatedState;
import io.flinkfluss.storage.server.replication.ReplicationNode;
import io.flinkfluss.storage.server.replication.ReplicationSettings;
import io.flinkfluss.storage.server.replication.ReplicationSettings.Durability;
import io.flinkfluss.storage.server.runtime.Checkpointer;
import io.flinkfluss.storage.server.runtime.DiskGuard;
import io.flinkfluss.storage.server.runtime.FaultHandler;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import io.flinkfluss.storage.server.shard.ShardConfig;
import io.flinkfluss.storage.server.shard.ShardReads;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
    private static final String METADATA = "metadata";
    private static final Duration READY_DEADLINE = Duration.ofMinutes(10);

    /** A new node waits so long to be added. */
    private static final Duration JOIN_DEADLINE = Duration.ofDays(7);

    private static final Duration CURRENT_MEMBERS = Duration.ofMillis(1_500);
    private static final Duration LEAVE_DEADLINE = Duration.ofSeconds(5);
    private static final Duration CHECKPOINT_DEADLINE = Duration.ofMinutes(1);
    private static final long LAST_CHECKPOINT_SECONDS = 60;
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final int ENTRY_OVERHEAD = 256 * 1024;

    private final ServerConfig config;
    private final ServerThreads threads;
    private final ShardResources resources;
    private final ReplicationNode replication;
    private final List<ReplicatedGroup> groups;
    private final List<Proposer<?, ?>> proposers;
    private final Metadata metadata;
    private final List<Checkpointer> checkpointers = new ArrayList<>();
    private final Shards shards;
    private final FormatLevels formatLevels;
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
            Parts parts,
            ServerThreads threads,
            ServerClock clock,
            DiskGuard disk,
            Monitoring monitoring) {
        this.config = config;
        this.directory = directory;
        this.monitoring = monitoring;
        this.threads = threads;
        this.disk = disk;
        resources = parts.resources;
        leases = parts.leases;
        housekeeping = parts.housekeeping;
        replication = parts.replication;
        Duration deadline = config.writes().timeout();
        groups = new ArrayList<>();
        proposers = new ArrayList<>();
        metadata =
                new Metadata(
                        parts.metadata,
                        proposer(METADATA, new MetadataCommands(), clock),
                        replication.group(METADATA),
                        clock,
                        deadline);
        List<Shard> members = new ArrayList<>();
        for (int i = 0; i < parts.shards.size(); i++) {
            members.add(
                    new Shard(
                            parts.shards.get(i).reads(),
                            proposer(shardName(i), new ShardCodec(), clock),
                            replication.group(shardName(i)),
                            parts.metadata.level()));
        }
        shards = new Shards(metadata, members, clock, deadline);
        kept = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            kept.add(new Housekeeping.Kept(i, members.get(i), parts.shards.get(i).logs()));
        }
        formatLevels =
                new FormatLevels(config.self().id(), metadata, () -> replication.members(METADATA));
        parts.metadata.onDrop(this::dropLeftoversSoon);
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
            Parts parts = Parts.open(config, directory, threads, clock, faults);
            return new StorageNode(config, directory, parts, threads, clock, disk, monitoring);
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
                                    .map(ReplicatedGroup::barrier)
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
        List<NodeParts.Group> looked = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            looked.add(
                    new NodeParts.Group(
                            groups.get(i).name(), proposers.get(i), checkpointers.get(i)));
        }
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
            if (!replication.leave(LEAVE_DEADLINE)) {
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
        groups.forEach(group -> checkpoints.add(group.checkpoint(CHECKPOINT_DEADLINE)));
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
        proposers.forEach(Proposer::close);
        leases.close();
        try {
            replication.close();
        } finally {
            resources.close();
            housekeeping.close();
        }
    }

    private <C, A> Proposer<C, A> proposer(
            String name, CommandCodec<C, A> codec, ServerClock clock) {
        ReplicatedGroup group = replication.group(name);
        Proposer<C, A> proposer =
                new Proposer<>(
                        name,
                        group,
                        codec,
                        new ProposerLimits(
                                config.writes().entryBytes(),
                                config.writes().entriesInFlight(),
                                2 * config.transport().nodeInFlightBytes(),
                                config.writes().timeout()),
                        clock);
        groups.add(group);
        proposers.add(proposer);
        checkpointers.add(new Checkpointer(new GroupSubject(group), config.checkpoints(), clock));
        Thread unused = threads.loop("fluss-proposer-" + name, proposer::run);
        return proposer;
    }

    private void start() {
        var unusedLevels =
                threads.every(
                        Duration.ofMillis(500),
                        "comparing format levels",
                        this::compareFormatLevels);
        soon("leftovers of dropped tables stay for now", shards::dropLeftovers);
        soon("this node stays marked as draining", this::takePartAgain);
        soon("the first election may be slower", replication::rehearseElections);
        var unusedPeers =
                threads.every(Duration.ofMillis(200), "looking after the peers", replication::step);
        var unusedLeases = threads.every(Duration.ofSeconds(5), "ending leases", leases::expire);
        var unusedBalance =
                threads.every(Duration.ofSeconds(1), "spreading leaders", this::spreadLeaders);
        var unusedDisk = threads.every(Duration.ofSeconds(1), "looking at the disk", disk::look);
        var unusedDrops =
                threads.every(
                        Duration.ofSeconds(60), "dropping leftovers", this::dropLeftoversSoon);
        housekeeping.start(kept, metadata);
        for (Checkpointer checkpointer : checkpointers) {
            var unused = threads.every(Duration.ofMillis(200), "a checkpoint", checkpointer::step);
        }
    }

    private void compareFormatLevels() {
        if (formatLevels.hasWork()) {
            soon("format levels stay as they are for now", formatLevels::step);
        }
    }

    private void dropLeftoversSoon() {
        soon("leftovers of dropped tables stay for now", shards::dropLeftovers);
    }

    /** A node that was drained and starts again may lead again. */
    private void takePartAgain() {
        if (metadata.current().draining().contains(config.self().id())) {
            metadata.setDraining(config.self().id(), false);
        }
    }

    private void spreadLeaders() {
        replication.balance(metadata.state().draining());
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

    private static String shardName(int shard) {
        return "shard-" + shard;
    }

    /** A group as {@link Checkpointer} sees it. */
    private record GroupSubject(ReplicatedGroup group) implements Checkpointer.Subject {
        @Override
        public long bytesSinceCheckpoint() {
            return group.bytesSinceCheckpoint();
        }

        @Override
        public CompletableFuture<?> checkpoint() {
            return group.checkpoint(CHECKPOINT_DEADLINE);
        }

        @Override
        public String toString() {
            return group.name();
        }
    }

    /** What is opened before anything runs. */
    private record Parts(
            MetadataState metadata,
            List<ShardState> shards,
            ShardResources resources,
            CheckpointLeases leases,
            ReplicationNode replication,
            Housekeeping housekeeping) {
        static Parts open(
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
                            threads.workers(),
                            housekeeping.reads());
            ShardConfig shardConfig =
                    new ShardConfig(
                            new LogConfig(
                                    config.logs().segmentBytes(), LogConfig.DEFAULT.openFiles()),
                            config.writes().largestBatch(),
                            ShardConfig.DEFAULT.maxAnswerBytes());
            Map<String, ReplicatedState> states = new LinkedHashMap<>();
            List<ShardState> shards = new ArrayList<>();
            try {
                MetadataState metadata = MetadataState.open(directory.metadata());
                metadata.onLevel(() -> directory.raise(metadata.level().level()));
                states.put(METADATA, metadata);
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
                    ShardState shard = opener.open(shardName(i), directory.shard(i));
                    shards.add(shard);
                    states.put(shardName(i), shard);
                }
                CatchUpQueue catchUp = new CatchUpQueue(PeerChannel::connect, pace, clock);
                Thread unused = threads.loop("fluss-catch-up", catchUp::run);
                ReplicationNode replication =
                        ReplicationNode.open(
                                settings(config, directory), states, catchUp, clock, faults);
                return new Parts(
                        metadata,
                        shards,
                        resources,
                        leases(states, clock),
                        replication,
                        housekeeping);
            } catch (RuntimeException failure) {
                states.values().forEach(ReplicatedState::close);
                resources.close();
                housekeeping.close();
                throw failure;
            }
        }

        private static CheckpointLeases leases(
                Map<String, ReplicatedState> states, ServerClock clock) {
            Map<String, CheckpointTransfer> transfers = new LinkedHashMap<>();
            states.forEach(
                    (name, state) ->
                            state.transfer().ifPresent(found -> transfers.put(name, found)));
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
}
