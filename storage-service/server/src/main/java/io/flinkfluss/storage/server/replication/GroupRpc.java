package io.flinkfluss.storage.server.replication;

import java.util.function.LongFunction;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * Ratis' gRPC, with one difference: a follower that has all entries before the leader's first one
 * is brought along, too.
 *
 * <p>Ratis 3.3.0 tells such a follower to fetch a checkpoint, since the leader does not know any
 * more what comes before its first entry; the follower answers that its own checkpoint is just as
 * new; and so on for ever. Here it is told of an entry later, so that it fetches a newer
 * checkpoint. (To send the entries without naming the one before would do, but not the heartbeats:
 * they would confirm whatever the follower has in that place.)
 *
 * <p>Ratis makes it by its name.
 */
public final class GroupRpc implements RpcType {
    @Override
    public String name() {
        return GroupRpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new Factory(parameters);
    }

    private static final class Factory extends GrpcFactory {
        Factory(Parameters parameters) {
            super(parameters);
        }

        @Override
        public LogAppender newLogAppender(
                RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            return new Appender(server, state, follower);
        }
    }

    private static final class Appender extends GrpcLogAppender {
        /**
         * What the follower was told of instead of the first entry, until it has it; null before.
         * Only the appending thread uses it.
         */
        private TermIndex told;

        Appender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            super(server, state, follower);
        }

        @Override
        public TermIndex shouldNotifyToInstallSnapshot() {
            // A follower that fetches must be told again, or it never installs what it fetched;
            // meanwhile it may name any entry of its log as the next, also one nobody confirmed.
            if (told != null && lacks(told.getIndex())) {
                return told;
            }
            told = null;
            TermIndex first = super.shouldNotifyToInstallSnapshot();
            long next = getFollower().getNextIndex();
            boolean known = getPrevious(next) != null;
            TermIndex named = toName(first, next, known, getRaftLog()::getTermIndex);
            if (named != first) {
                told = named;
            }
            return named;
        }

        private boolean lacks(long index) {
            return getFollower().getSnapshotIndex() < index - 1
                    && getFollower().getMatchIndex() < index;
        }
    }

    /**
     * The entry up to which a follower is told to catch up; null when it need not.
     *
     * @param first the leader's first entry, which Ratis would name; null when it need not
     * @param next the entry that the follower lacks
     * @param previousIsKnown whether the leader knows what comes before that
     */
    static TermIndex toName(
            TermIndex first, long next, boolean previousIsKnown, LongFunction<TermIndex> log) {
        if (first == null || next != first.getIndex() || previousIsKnown) {
            return first;
        }
        TermIndex second = log.apply(next + 1);
        return second == null ? TermIndex.valueOf(first.getTerm(), next + 1) : second;
    }
}
