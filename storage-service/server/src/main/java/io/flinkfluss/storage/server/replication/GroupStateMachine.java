package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.server.runtime.FaultHandler;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.ProtoUtils;

/** Ratis' view of one {@link ReplicatedState}. Ratis applies and checkpoints on one thread. */
final class GroupStateMachine extends BaseStateMachine {
    /**
     * The empty state that every replica begins with counts as entry 0, so that the log begins with
     * 1. Ratis 3.3.0 takes a heartbeat without a previous entry for a confirmation of the
     * follower's entry 0, which may be one that a leader of an earlier term never got confirmed:
     * that replica could never follow again.
     */
    private static final TermIndex FIRST = TermIndex.valueOf(0, 0);

    private static final LongSupplier UNKNOWN_START = () -> RaftLog.INVALID_LOG_INDEX;

    private final String group;
    private final ReplicatedState state;
    private final FaultHandler faults;
    private final Runnable leadershipChanged;
    private final AppliedWork work = new AppliedWork();
    private final ServerClock clock;
    private final CatchUp catchUp;
    private final CheckpointReports checkpoints;

    /** {@link #FIRST}; null in a log of the first release, which has an entry 0. */
    private volatile TermIndex base;

    private volatile LongSupplier logStart = UNKNOWN_START;

    /**
     * @param leadershipChanged called when this node may have begun or ceased to lead, or another
     *     node has; on a thread of Ratis
     */
    GroupStateMachine(
            String group,
            ReplicatedState state,
            CatchUp catchUp,
            ServerClock clock,
            FaultHandler faults,
            Runnable leadershipChanged) {
        this.group = group;
        this.state = state;
        this.faults = faults;
        this.leadershipChanged = leadershipChanged;
        this.catchUp = catchUp;
        this.clock = clock;
        checkpoints = new CheckpointReports(state);
        if (state.restored().isPresent()) {
            setLastAppliedTermIndex(termIndex(state.restored()));
        }
    }

    private static TermIndex termIndex(Position position) {
        return TermIndex.valueOf(position.term(), position.index());
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId id, RaftStorage storage)
            throws IOException {
        super.initialize(server, id, storage);
        Path log = storage.getStorageDir().getCurrentDir().toPath();
        if (!state.restored().isPresent() && !LogFolder.hasFirstEntry(log)) {
            base = FIRST;
            setLastAppliedTermIndex(FIRST);
        }
        getLifeCycle().startAndTransition(() -> {}, IOException.class);
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        ByteString data = entry.getStateMachineLogEntry().getLogData();
        long begun = clock.threadNanos();
        try {
            Position position = new Position(entry.getTerm(), entry.getIndex());
            long leaderMillis = data.substring(0, Long.BYTES).asReadOnlyByteBuffer().getLong();
            byte[] answer =
                    state.apply(
                            position,
                            leaderMillis,
                            data.substring(Long.BYTES).asReadOnlyByteBuffer());
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            work.add(data.size(), clock.threadNanos() - begun);
            return CompletableFuture.completedFuture(
                    Message.valueOf(UnsafeByteOperations.unsafeWrap(answer)));
        } catch (RuntimeException | Error broken) {
            faults.fatal("group " + group + " cannot apply entry " + entry.getIndex(), broken);
            throw broken;
        }
    }

    @Override
    public long takeSnapshot() throws IOException {
        // When it fails, Ratis logs it and keeps the log; the next checkpoint tries again.
        return checkpoints.next(work::saved).index();
    }

    @Override
    public SnapshotInfo getLatestSnapshot() {
        Position position = checkpoints.reported();
        TermIndex newest = position.isPresent() ? termIndex(position) : base;
        if (logStart.getAsLong() == FIRST.getIndex() + 1) {
            // Ratis asks for what comes before the log's first entry by asking for this.
            newest = FIRST;
        }
        return newest == null ? null : new Checkpoint(newest);
    }

    /** The leader has deleted entries that this replica lacks: they come as a checkpoint. */
    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
            RoleInfoProto role, TermIndex firstAvailable) {
        long least = firstAvailable.getIndex() - 1;
        boolean isKnown = least <= 0 || least < getLastAppliedTermIndex().getIndex();
        if (isKnown || state.transfer().isEmpty()) {
            // A member that is being added is told so even when the leader has all entries. But a
            // member that has exactly those before them needs a checkpoint: the leader does not
            // know any more what comes before its first one.
            return CompletableFuture.completedFuture(null);
        }
        RaftPeer leader = ProtoUtils.toRaftPeer(role.getFollowerInfo().getLeaderInfo().getId());
        String address = Members.clientAddress(leader);
        return catchUp.fetch(group, state.transfer().get(), address, least)
                .thenApply(GroupStateMachine::termIndex);
    }

    /** Called before {@link #reinitialize}, which is called on the applying thread. */
    @Override
    public void pause() {
        if (getLifeCycleState() == LifeCycle.State.RUNNING) {
            getLifeCycle().transition(LifeCycle.State.PAUSING);
            getLifeCycle().transition(LifeCycle.State.PAUSED);
        }
    }

    @Override
    public void reinitialize() throws IOException {
        // The log keeps entries before the checkpoint, but nobody is to be asked for them.
        logStart = UNKNOWN_START;
        try {
            Position installed = state.transfer().orElseThrow().install();
            checkpoints.restart();
            work.saved();
            setLastAppliedTermIndex(termIndex(installed));
        } catch (RuntimeException | Error broken) {
            faults.fatal("group " + group + " cannot install a checkpoint of its leader", broken);
            throw broken;
        }
        getLifeCycle().startAndTransition(() -> {}, IOException.class);
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

    /**
     * The log is open.
     *
     * @param start index of its first entry
     */
    void opened(LongSupplier start) {
        logStart = start;
    }

    /** See {@link ReplicatedState#prepareCheckpoint}. */
    CompletableFuture<Void> prepareCheckpoint() {
        return state.prepareCheckpoint();
    }

    CompletableFuture<Void> checkpointsIdle() {
        return checkpoints.idle();
    }

    AppliedWork work() {
        return work;
    }

    /** Ratis only tells followers to fetch it; how that is done is not its business. */
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
