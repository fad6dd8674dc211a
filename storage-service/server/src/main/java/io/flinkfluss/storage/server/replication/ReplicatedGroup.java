package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.ClusterView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** One group of replicas, as its member on this node sees it. May be used by any thread. */
public final class ReplicatedGroup implements EntryWriter {
    private static final int MOST_READS = 3;

    private final String name;
    private final RaftServer server;
    private final RaftClientAsynchronousProtocol entries;
    private final RaftPeerId self;
    private final RaftGroupId id;
    private final GroupStateMachine machine;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();

    ReplicatedGroup(
            String name,
            RaftServer server,
            RaftPeerId self,
            RaftGroupId id,
            GroupStateMachine machine)
            throws IOException {
        this.name = name;
        this.server = server;
        this.self = self;
        this.id = id;
        this.machine = machine;
        // The member itself takes entries on the calling thread; the server would hand them over.
        entries =
                server.getDivision(id) instanceof RaftClientAsynchronousProtocol member
                        ? member
                        : server;
    }

    public String name() {
        return name;
    }

    /** Whether this node leads the group and has applied everything committed before it led. */
    public boolean isLeader() {
        return machine.leading();
    }

    /** Id of the node that leads the group, as far as is known here; empty when nobody does. */
    public String leader() {
        return machine.leader();
    }

    /** Who leads the group since which election, as far as is known here. */
    public ClusterView.Leadership leadership() {
        try {
            DivisionInfo info = server.getDivision(id).getInfo();
            for (int tries = 0; tries < MOST_READS; tries++) {
                long term = info.getCurrentTerm();
                RaftPeerId leader = info.getLeaderId();
                // A leader of an earlier term must not be taken for the winner of a later one.
                if (leader != null && term == info.getCurrentTerm()) {
                    return new ClusterView.Leadership(leader.toString(), term);
                }
            }
        } catch (IOException closed) {
            return ClusterView.Leadership.UNKNOWN;
        }
        return ClusterView.Leadership.UNKNOWN;
    }

    /** Bytes applied since the last checkpoint. */
    public long bytesSinceCheckpoint() {
        return machine.bytesSinceCheckpoint();
    }

    @Override
    public CompletableFuture<byte[]> submit(long leaderMillis, ByteBuffer command) {
        ByteString entry =
                UnsafeByteOperations.unsafeWrap(
                                ByteBuffer.allocate(Long.BYTES).putLong(leaderMillis).flip())
                        .concat(UnsafeByteOperations.unsafeWrap(command));
        RaftClientRequest request =
                RaftClientRequest.newBuilder()
                        .setClientId(clientId)
                        .setServerId(self)
                        .setGroupId(id)
                        .setCallId(calls.getAndIncrement())
                        .setMessage(Message.valueOf(entry))
                        .setType(RaftClientRequest.writeRequestType())
                        .build();
        if (!machine.leading()) {
            return CompletableFuture.failedFuture(notLeader());
        }
        try {
            return entries.submitClientRequestAsync(request).handle(this::answer);
        } catch (IOException failure) {
            return CompletableFuture.failedFuture(unknown(failure));
        }
    }

    /**
     * Makes the state durable and lets the log before it be deleted; does nothing when nothing was
     * applied since. Completes with the position in the log.
     */
    public CompletableFuture<Long> checkpoint(Duration deadline) {
        SnapshotManagementRequest request =
                SnapshotManagementRequest.newCreate(
                        clientId, self, id, calls.getAndIncrement(), deadline.toMillis(), 1);
        return server.snapshotManagementAsync(request).thenApply(RaftClientReply::getLogIndex);
    }

    CompletableFuture<Void> ready() {
        return machine.leaderReady();
    }

    private byte[] answer(RaftClientReply reply, Throwable failure) {
        if (failure != null) {
            throw unknown(failure instanceof CompletionException ? failure.getCause() : failure);
        }
        if (reply.isSuccess()) {
            return reply.getMessage().getContent().toByteArray();
        }
        Exception refusal = reply.getException();
        if (refusal instanceof LeaderNotReadyException) {
            throw new StorageException(
                    ErrorCode.NOT_READY,
                    "group " + name + " has a new leader that is not ready yet; try again",
                    refusal);
        }
        if (refusal instanceof ResourceUnavailableException) {
            throw new StorageException(
                    ErrorCode.BUSY,
                    "group " + name + " has too many entries under way; try again",
                    refusal);
        }
        throw unknown(refusal);
    }

    private StorageException notLeader() {
        return new StorageException(
                ErrorCode.NOT_LEADER,
                "node " + self + " does not lead group " + name + " now; ask its leader");
    }

    private StorageException unknown(Throwable cause) {
        return new StorageException(
                ErrorCode.TIMEOUT,
                "group "
                        + name
                        + " did not confirm the write, which may or may not have taken effect: "
                        + cause
                        + ". Send it again only with its writer id and sequence",
                cause);
    }
}
