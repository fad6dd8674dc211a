package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.server.runtime.FaultHandler;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Ratis' view of one {@link ReplicatedState}. Ratis applies and checkpoints on one thread. */
final class GroupStateMachine extends BaseStateMachine {
    private final String group;
    private final ReplicatedState state;
    private final FaultHandler faults;
    private final Runnable leadershipChanged;
    private final AtomicLong bytesSinceCheckpoint = new AtomicLong();
    private volatile Position checkpoint;

    /**
     * @param leadershipChanged called when this node may have begun or ceased to lead, or another
     *     node has; on a thread of Ratis
     */
    GroupStateMachine(
            String group, ReplicatedState state, FaultHandler faults, Runnable leadershipChanged) {
        this.group = group;
        this.state = state;
        this.faults = faults;
        this.leadershipChanged = leadershipChanged;
        checkpoint = state.restored();
        if (checkpoint.isPresent()) {
            setLastAppliedTermIndex(TermIndex.valueOf(checkpoint.term(), checkpoint.index()));
        }
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        ByteString data = entry.getStateMachineLogEntry().getLogData();
        try {
            Position position = new Position(entry.getTerm(), entry.getIndex());
            long leaderMillis = data.substring(0, Long.BYTES).asReadOnlyByteBuffer().getLong();
            byte[] answer =
                    state.apply(
                            position,
                            leaderMillis,
                            data.substring(Long.BYTES).asReadOnlyByteBuffer());
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            bytesSinceCheckpoint.addAndGet(data.size());
            return CompletableFuture.completedFuture(
                    Message.valueOf(UnsafeByteOperations.unsafeWrap(answer)));
        } catch (RuntimeException | Error broken) {
            faults.fatal("group " + group + " cannot apply entry " + entry.getIndex(), broken);
            throw broken;
        }
    }

    @Override
    public long takeSnapshot() throws IOException {
        try {
            Position position = state.checkpoint();
            bytesSinceCheckpoint.set(0);
            checkpoint = position;
            return position.index();
        } catch (RuntimeException failed) {
            // Ratis logs it and keeps the log; the next checkpoint tries again.
            throw new IOException("group " + group + " could not make a checkpoint", failed);
        }
    }

    @Override
    public SnapshotInfo getLatestSnapshot() {
        Position position = checkpoint;
        return position.isPresent()
                ? new Checkpoint(TermIndex.valueOf(position.term(), position.index()))
                : null;
    }

    /** Reads see the state itself; Ratis is only asked when it is current. */
    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    @Override
    public void notifyLeaderReady() {
        leadershipChanged.run();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        leadershipChanged.run();
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId newLeader) {
        leadershipChanged.run();
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
        faults.fatal("the replicated log of group " + group + " cannot be written", cause);
    }

    long bytesSinceCheckpoint() {
        return bytesSinceCheckpoint.get();
    }

    /**
     * A checkpoint stays inside the state; its files cannot be sent to another node yet, so it
     * lists none.
     */
    private record Checkpoint(TermIndex termIndex) implements SnapshotInfo {
        @Override
        public TermIndex getTermIndex() {
            return termIndex;
        }

        @Override
        public List<FileInfo> getFiles() {
            return List.of();
        }
    }
}
