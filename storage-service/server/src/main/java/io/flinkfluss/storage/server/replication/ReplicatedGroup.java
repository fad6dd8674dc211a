package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.ClusterView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** One group of replicas, as its member on this node sees it. May be used by any thread. */
public final class ReplicatedGroup implements EntryWriter {
    private static final int MOST_READS = 3;
    private static final int CHECKPOINT_TRIES = 5;
    private static final CompletableFuture<Void> CURRENT = CompletableFuture.completedFuture(null);

    private final String name;
    private final RaftServer server;
    private final RaftServer.Division division;
    private final RaftClientAsynchronousProtocol requests;
    private final RaftPeerId self;
    private final RaftGroupId id;
    private final GroupStateMachine machine;
    private final LeadershipListeners listeners;
    private final GroupErrors errors;
    private final Forwarder forwarder;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();

    ReplicatedGroup(
            String name,
            RaftServer server,
            RaftGroupId id,
            GroupStateMachine machine,
            LeadershipListeners listeners)
            throws IOException {
        this.name = name;
        this.server = server;
        this.id = id;
        this.machine = machine;
        this.listeners = listeners;
        self = server.getId();
        division = server.getDivision(id);
        machine.opened(division.getRaftLog()::getStartIndex);
        errors = new GroupErrors(name, division);
        forwarder = new Forwarder(division, errors);
        // The member itself takes requests on the calling thread; the server would hand them over.
        requests = division instanceof RaftClientAsynchronousProtocol member ? member : server;
    }

    public String name() {
        return name;
    }

    /** Whether this node leads the group and has applied everything committed before it led. */
    public boolean isLeader() {
        return division.getInfo().isLeaderReady();
    }

    /** Id of the node that leads the group, as far as is known here; empty when nobody does. */
    public Optional<String> leader() {
        return Optional.ofNullable(division.getInfo().getLeaderId()).map(RaftPeerId::toString);
    }

    /** Who leads the group since which election, as far as is known here. */
    public ClusterView.Leadership leadership() {
        DivisionInfo info = division.getInfo();
        for (int tries = 0; tries < MOST_READS; tries++) {
            long term = info.getCurrentTerm();
            RaftPeerId leader = info.getLeaderId();
            // A leader of an earlier term must not be taken for the winner of a later one.
            if (leader != null && term == info.getCurrentTerm()) {
                return new ClusterView.Leadership(leader.toString(), term);
            }
        }
        return ClusterView.Leadership.UNKNOWN;
    }

    /**
     * Tells when this node may have begun or ceased to lead, or another node has. The listener is
     * called by a thread of replication and must be short.
     */
    public LeadershipListeners.Registration onLeadership(Runnable listener) {
        return listeners.add(listener);
    }

    /**
     * @throws StorageException NOT_LEADER naming the leader, NOT_READY while this node begins to
     *     lead
     */
    public void requireLeader() {
        if (!isLeader()) {
            throw errors.notLeader();
        }
    }

    /**
     * Completes when this node has applied everything that was acknowledged before the call, and
     * was the leader then: what is read of the state afterwards is linearizable. Alone, or while a
     * majority has lately confirmed the leader, it is complete on return. Fails with NOT_LEADER or
     * NOT_READY.
     */
    public CompletableFuture<Void> leaderBarrier() {
        return isLeader() ? barrier() : CompletableFuture.failedFuture(errors.notLeader());
    }

    /**
     * Like {@link #leaderBarrier} on any replica: a follower asks the leader, which costs a round
     * trip. Fails with NOT_READY when no leader is known.
     */
    public CompletableFuture<Void> barrier() {
        if (division.getInfo().isLeader() && !isLeader()) {
            return CompletableFuture.failedFuture(errors.notLeader());
        }
        try {
            CompletableFuture<RaftClientReply> reply =
                    requests.submitClientRequestAsync(
                            request(Message.EMPTY, RaftClientRequest.readRequestType()));
            if (reply.isDone() && !reply.isCompletedExceptionally() && reply.join().isSuccess()) {
                return CURRENT;
            }
            return reply.handle(
                    (done, failure) -> {
                        if (failure != null || !done.isSuccess()) {
                            throw errors.ofRead(failure != null ? failure : done.getException());
                        }
                        return null;
                    });
        } catch (IOException failure) {
            return CompletableFuture.failedFuture(errors.ofRead(failure));
        }
    }

    /** Bytes applied since this node was opened. */
    long bytesApplied() {
        return machine.work().bytes();
    }

    /** Whether this member has ended, because the others removed it or the node stops. */
    boolean isClosed() {
        return !division.getInfo().isAlive();
    }

    /** Bytes applied since the last checkpoint. */
    public long bytesSinceCheckpoint() {
        return machine.work().bytesSinceCheckpoint();
    }

    /** The processor time that applying these took. */
    public Duration applyTimeSinceCheckpoint() {
        return Duration.ofNanos(machine.work().nanosSinceCheckpoint());
    }

    @Override
    public CompletableFuture<byte[]> submit(long leaderMillis, ByteBuffer command) {
        if (!isLeader()) {
            return CompletableFuture.failedFuture(errors.notLeader());
        }
        try {
            return requests.submitClientRequestAsync(
                            request(
                                    entry(leaderMillis, command),
                                    RaftClientRequest.writeRequestType()))
                    .handle(errors::answer);
        } catch (IOException failure) {
            return CompletableFuture.failedFuture(errors.ofWrite(failure));
        }
    }

    /**
     * Writes one entry wherever the leader is; blocks. For rare commands that have the same effect
     * when they are written twice.
     *
     * @throws StorageException TIMEOUT or NOT_READY
     */
    public byte[] forward(long millis, ByteBuffer command) {
        return forwarder.send(entry(millis, command));
    }

    /**
     * Makes the state durable and lets the log before it be deleted; does nothing when nothing was
     * applied since. Completes with the position in the log.
     */
    public CompletableFuture<Long> checkpoint(Duration deadline) {
        // Most of the work, the cut between two entries, the rest of the work, and the report that
        // lets the log be deleted.
        return machine.prepareCheckpoint()
                .thenCompose(prepared -> askForCheckpoint(deadline))
                .thenCompose(cut -> machine.checkpointsIdle())
                .thenCompose(durable -> askForCheckpoint(deadline));
    }

    private CompletableFuture<Long> askForCheckpoint(Duration deadline) {
        return askForCheckpoint(deadline, CHECKPOINT_TRIES);
    }

    private CompletableFuture<Long> askForCheckpoint(Duration deadline, int tries) {
        SnapshotManagementRequest request =
                SnapshotManagementRequest.newCreate(
                        clientId, self, id, calls.getAndIncrement(), deadline.toMillis(), 1);
        return server.snapshotManagementAsync(request)
                .thenApply(RaftClientReply::getLogIndex)
                .exceptionallyCompose(
                        failure ->
                                tries > 1 && isTimeout(failure)
                                        ? askForCheckpoint(deadline, tries - 1)
                                        : CompletableFuture.failedFuture(failure));
    }

    /**
     * Ratis 3.3.0 never cancels the timer of a request that was answered: when it ends, it fails
     * whichever request is waiting then.
     */
    private static boolean isTimeout(Throwable failure) {
        return failure instanceof TimeoutIOException
                || failure.getCause() instanceof TimeoutIOException;
    }

    /**
     * Hands the leadership to another node, which must have all entries by the deadline; writes are
     * refused with NOT_READY meanwhile. Only on the leader. Fails when this node leads on.
     */
    CompletableFuture<Void> transfer(String node, Duration deadline) {
        TransferLeadershipRequest request =
                new TransferLeadershipRequest(
                        clientId,
                        self,
                        id,
                        calls.getAndIncrement(),
                        RaftPeerId.valueOf(node),
                        deadline.toMillis());
        try {
            return server.transferLeadershipAsync(request)
                    .thenAccept(
                            reply -> {
                                if (!reply.isSuccess()) {
                                    throw errors.ofRead(reply.getException());
                                }
                            });
        } catch (IOException failure) {
            return CompletableFuture.failedFuture(errors.ofRead(failure));
        }
    }

    LogWatch.Log log() {
        return new LogWatch.Log() {
            @Override
            public boolean isOpen() {
                // The others may have removed this member.
                return division.getInfo().isAlive() || !Members.has(division, self.toString());
            }

            @Override
            public long written() {
                return division.getRaftLog().getNextIndex() - 1;
            }

            @Override
            public long flushed() {
                return division.getRaftLog().getFlushIndex();
            }
        };
    }

    RaftServer.Division division() {
        return division;
    }

    void close() {
        forwarder.close();
    }

    private RaftClientRequest request(Message message, RaftClientRequest.Type type) {
        return RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(self)
                .setGroupId(id)
                .setCallId(calls.getAndIncrement())
                .setMessage(message)
                .setType(type)
                .build();
    }

    private static Message entry(long leaderMillis, ByteBuffer command) {
        ByteString head =
                UnsafeByteOperations.unsafeWrap(
                        ByteBuffer.allocate(Long.BYTES).putLong(leaderMillis).flip());
        return Message.valueOf(head.concat(UnsafeByteOperations.unsafeWrap(command)));
    }
}
