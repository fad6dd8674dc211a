package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.runtime.FaultHandler;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.io.IOException;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.statemachine.SnapshotInfo;

/**
 * Ratis with this node's groups, running.
 *
 * @param terms that the groups' elections are covered by
 * @param elections that votes for other nodes end
 * @param groups by name
 */
record OpenGroups(
        RaftServer server,
        TermBounds terms,
        StaleElections elections,
        Map<String, ReplicatedGroup> groups) {
    /**
     * Repairs what a killed process or a full disk left in the folders, starts Ratis, and creates
     * the groups that are missing.
     *
     * @throws StorageException CORRUPT_DATA when a log cannot be read, PORT_IN_USE
     */
    static OpenGroups open(
            ReplicationSettings settings,
            Map<String, ReplicatedState> states,
            CatchUp catchUp,
            ServerClock clock,
            FaultHandler faults) {
        RaftPeerId self = RaftPeerId.valueOf(settings.self().id());
        Map<RaftGroupId, GroupStateMachine> machines = new LinkedHashMap<>();
        Map<RaftGroupId, LeadershipListeners> listeners = new LinkedHashMap<>();
        states.forEach(
                (name, state) -> {
                    LeadershipListeners told = new LeadershipListeners();
                    listeners.put(id(name), told);
                    machines.put(
                            id(name),
                            new GroupStateMachine(name, state, catchUp, clock, faults, told::tell));
                });
        TermBounds terms = new TermBounds(settings.folder().resolveSibling("terms"));
        AtomicReference<RaftServer> running = new AtomicReference<>();
        StaleElections elections = new StaleElections(id -> division(running.get(), id));
        RaftServer server = null;
        try {
            for (RaftGroupId id : machines.keySet()) {
                Path log = settings.folder().resolve(id.getUuid().toString());
                LogFolder.repair(log);
                terms.repair(id.getUuid(), log.resolve("current"));
                SnapshotInfo restored = machines.get(id).getLatestSnapshot();
                LogFolder.deleteContained(log, restored == null ? -1 : restored.getIndex());
            }
            server =
                    RaftServer.newBuilder()
                            .setServerId(self)
                            .setProperties(RatisProperties.of(settings))
                            .setParameters(guarded(settings, terms, elections, clock))
                            .setStateMachineRegistry(id -> machine(machines, id))
                            .build();
            running.set(server);
            server.start();
            for (String name : states.keySet()) {
                addIfMissing(server, settings, name);
                Members.check(server.getDivision(id(name)), settings);
            }
            Map<String, ReplicatedGroup> groups = new TreeMap<>();
            for (String name : states.keySet()) {
                RaftGroupId id = id(name);
                groups.put(
                        name,
                        new ReplicatedGroup(name, server, id, machines.get(id), listeners.get(id)));
            }
            return new OpenGroups(server, terms, elections, groups);
        } catch (IOException | RuntimeException failure) {
            elections.close();
            closeQuietly(server, failure);
            throw cannotOpen(settings, failure);
        }
    }

    private static Optional<RaftServer.Division> division(RaftServer server, RaftGroupId id) {
        try {
            return server == null ? Optional.empty() : Optional.of(server.getDivision(id));
        } catch (IOException notOpenYet) {
            return Optional.empty();
        }
    }

    private static StorageException cannotOpen(ReplicationSettings settings, Exception failure) {
        Throwable cause = rootCause(failure);
        if (failure instanceof StorageException refused) {
            return refused;
        }
        if (cause instanceof BindException) {
            return new StorageException(
                    ErrorCode.PORT_IN_USE,
                    "cannot listen for peers on "
                            + settings.self().host()
                            + ":"
                            + settings.self().raftPort()
                            + ": "
                            + cause.getMessage()
                            + "; stop what uses the port, or choose another in --peers",
                    failure);
        }
        return new StorageException(
                ErrorCode.CORRUPT_DATA,
                "the replicated logs in "
                        + settings.folder()
                        + " cannot be opened: "
                        + cause
                        + ". Nothing was changed; look at the named file, or restore the data"
                        + " directory from a copy",
                failure);
    }

    private static Parameters guarded(
            ReplicationSettings settings,
            TermBounds terms,
            StaleElections elections,
            ServerClock clock) {
        Parameters parameters = new Parameters();
        GrpcConfigKeys.Server.setServicesCustomizer(
                parameters,
                new GuardedVotes(
                        new VoteGuard(settings.electionTimeout(), clock), terms, elections));
        return parameters;
    }

    private static GroupStateMachine machine(
            Map<RaftGroupId, GroupStateMachine> machines, RaftGroupId id) {
        GroupStateMachine machine = machines.get(id);
        if (machine == null) {
            throw new IllegalStateException(
                    "the data directory has a group "
                            + id.getUuid()
                            + " that this configuration does not have; were there more shards?");
        }
        return machine;
    }

    private static void addIfMissing(RaftServer server, ReplicationSettings settings, String name)
            throws IOException {
        RaftGroupId id = id(name);
        for (RaftGroupId known : server.getGroupIds()) {
            if (known.equals(id)) {
                return;
            }
        }
        List<RaftPeer> peers =
                switch (settings.beginning()) {
                    case FOUND -> settings.peers().stream().map(Members::toRaft).toList();
                    case JOIN -> List.of();
                    case CONTINUE ->
                            throw new IOException(
                                    "the log of group "
                                            + name
                                            + ", folder "
                                            + id.getUuid()
                                            + ", is missing");
                };
        RaftClientReply reply =
                server.groupManagement(
                        GroupManagementRequest.newAdd(
                                ClientId.randomId(),
                                server.getId(),
                                0,
                                RaftGroup.valueOf(id, peers),
                                true));
        if (!reply.isSuccess()) {
            throw new IOException("a group cannot be created", reply.getException());
        }
    }

    /** Of the group with this name, in every cluster. */
    static RaftGroupId id(String name) {
        return RaftGroupId.valueOf(
                UUID.nameUUIDFromBytes(("flink-fluss " + name).getBytes(StandardCharsets.UTF_8)));
    }

    private static void closeQuietly(RaftServer server, Exception failure) {
        if (server != null) {
            try {
                server.close();
            } catch (IOException | RuntimeException also) {
                failure.addSuppressed(also);
            }
        }
    }

    private static Throwable rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
