package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.server.runtime.FaultHandler;
import java.io.IOException;
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
    private final CompletableFuture<Void> leaderReady = new CompletableFuture<>();
    private final AtomicLong bytesSinceCheckpoint = new AtomicLong();
    private volatile Position checkpoint;
    private volatile boolean leading;
    private volatile String leader = "";

    GroupStateMachine(String group, ReplicatedState state, FaultHandler faults) {
        this.group = group;
        this.state = state;
        this.faults = faults;
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

    @Override
    public void notifyLeaderReady() {
        leading = true;
        leaderReady.complete(null);
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId newLeader) {
        leader = newLeader == null ? "" : newLeader.toString();
        if (!member.getPeerId().equals(newLeader)) {
            leading = false;
        }
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
        faults.fatal("the replicated log of group " + group + " cannot be written", cause);
    }

    /** Completes when this node leads and has applied everything that was committed before. */
    CompletableFuture<Void> leaderReady() {
        return leaderReady;
    }

    boolean leading() {
        return leading;
    }

    String leader() {
        return leader;
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
