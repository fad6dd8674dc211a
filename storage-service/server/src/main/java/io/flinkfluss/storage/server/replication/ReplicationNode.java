package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.runtime.FaultHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;

/**
 * This node's replicas of all groups. Opening it starts replication; {@link #awaitReady} returns
 * after everything that was ever committed is applied.
 */
public final class ReplicationNode implements AutoCloseable {
    private final RaftServer server;
    private final Map<String, ReplicatedGroup> groups;
    private final List<ReplicatedState> states;

    private ReplicationNode(
            RaftServer server, Map<String, ReplicatedGroup> groups, List<ReplicatedState> states) {
        this.server = server;
        this.groups = groups;
        this.states = states;
    }

    /**
     * Opens the groups; unknown ones are created with the given peers.
     *
     * @param states by group name; they are closed with this node
     * @throws StorageException CORRUPT_DATA when a log cannot be read
     */
    public static ReplicationNode open(
            ReplicationSettings settings,
            Map<String, ReplicatedState> states,
            FaultHandler faults) {
        RaftPeerId self = RaftPeerId.valueOf(settings.self().id());
        Map<RaftGroupId, GroupStateMachine> machines = new LinkedHashMap<>();
        states.forEach(
                (name, state) ->
                        machines.put(groupId(name), new GroupStateMachine(name, state, faults)));
        RaftServer server = null;
        try {
            for (RaftGroupId id : machines.keySet()) {
                LogFolder.repair(settings.folder().resolve(id.getUuid().toString()));
            }
            server =
                    RaftServer.newBuilder()
                            .setServerId(self)
                            .setProperties(RatisProperties.of(settings))
                            .setStateMachineRegistry(id -> machine(machines, id))
                            .build();
            server.start();
            for (RaftGroupId id : machines.keySet()) {
                addIfMissing(server, self, RaftGroup.valueOf(id, raftPeers(settings)));
            }
            Map<String, ReplicatedGroup> groups = new TreeMap<>();
            for (String name : states.keySet()) {
                RaftGroupId id = groupId(name);
                groups.put(name, new ReplicatedGroup(name, server, self, id, machines.get(id)));
            }
            return new ReplicationNode(server, groups, List.copyOf(states.values()));
        } catch (IOException | RuntimeException failure) {
            closeQuietly(server, failure);
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    "the replicated logs in "
                            + settings.folder()
                            + " cannot be opened: "
                            + rootCause(failure)
                            + ". Nothing was changed; look at the named file, or restore the data"
                            + " directory from a copy",
                    failure);
        }
    }

    public ReplicatedGroup group(String name) {
        return groups.get(name);
    }

    /**
     * Waits until this node leads every group and has applied everything committed.
     *
     * @throws StorageException NOT_READY after the deadline, naming the group
     */
    public void awaitReady(Duration deadline) throws InterruptedException {
        long end = deadline.toMillis();
        CompletableFuture<?> all =
                CompletableFuture.allOf(
                        groups.values().stream()
                                .map(ReplicatedGroup::ready)
                                .toArray(CompletableFuture[]::new));
        try {
            all.get(end, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            List<String> missing =
                    groups.values().stream()
                            .filter(group -> !group.isLeader())
                            .map(ReplicatedGroup::name)
                            .toList();
            throw new StorageException(
                    ErrorCode.NOT_READY,
                    "groups "
                            + missing
                            + " have no ready leader after "
                            + deadline.toSeconds()
                            + " s; are the other peers running?",
                    failure);
        }
    }

    /** Stops replication, then closes the states. Make checkpoints before, to restart quickly. */
    @Override
    public void close() {
        RuntimeException failure = null;
        try {
            server.close();
        } catch (IOException e) {
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

    private static void addIfMissing(RaftServer server, RaftPeerId self, RaftGroup group)
            throws IOException {
        for (RaftGroupId known : server.getGroupIds()) {
            if (known.equals(group.getGroupId())) {
                return;
            }
        }
        RaftClientReply reply =
                server.groupManagement(
                        GroupManagementRequest.newAdd(ClientId.randomId(), self, 0, group, true));
        if (!reply.isSuccess()) {
            throw new IOException("a group cannot be created", reply.getException());
        }
    }

    private static List<RaftPeer> raftPeers(ReplicationSettings settings) {
        return settings.peers().stream()
                .map(
                        peer ->
                                RaftPeer.newBuilder()
                                        .setId(peer.id())
                                        .setAddress(peer.host() + ":" + peer.raftPort())
                                        .build())
                .toList();
    }

    private static RaftGroupId groupId(String name) {
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
