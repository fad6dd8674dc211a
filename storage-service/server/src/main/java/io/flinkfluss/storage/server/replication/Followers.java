package io.flinkfluss.storage.server.replication;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.server.RaftServer;

/**
 * How far the followers of a group are, as its leader sees them.
 *
 * @param followers empty when this node does not lead the group
 */
record Followers(List<Follower> followers) {
    /** A follower that was not heard for so long is missing. */
    private static final long SILENT_MILLIS = 1_000;

    /**
     * @param silentMillis since it answered last
     * @param behind entries of the leader's log that it has not confirmed
     */
    record Follower(String id, long silentMillis, long behind) {
        boolean isSilent() {
            return silentMillis > SILENT_MILLIS;
        }
    }

    Followers {
        followers = List.copyOf(followers);
    }

    static Followers of(RaftServer.Division division) {
        RoleInfoProto role = division.getInfo().getRoleInfoProto();
        long[] confirmed = division.getInfo().getFollowerMatchIndices();
        List<ServerRpcProto> heard = role.getLeaderInfo().getFollowerInfoList();
        if (!role.hasLeaderInfo() || confirmed == null || confirmed.length != heard.size()) {
            return new Followers(List.of());
        }
        long last = division.getRaftLog().getNextIndex() - 1;
        List<Follower> followers = new ArrayList<>();
        for (int i = 0; i < confirmed.length; i++) {
            ServerRpcProto follower = heard.get(i);
            followers.add(
                    new Follower(
                            follower.getId().getId().toStringUtf8(),
                            follower.getLastRpcElapsedTimeMs(),
                            last - confirmed[i]));
        }
        return new Followers(followers);
    }

    static Follower worseOf(Follower one, Follower other) {
        return new Follower(
                one.id(),
                Math.max(one.silentMillis(), other.silentMillis()),
                Math.max(one.behind(), other.behind()));
    }

    /** Whether the group has no leader, or one of its followers is silent. */
    static boolean isSomethingMissing(RaftServer.Division division) {
        return division.getInfo().getLeaderId() == null
                || of(division).followers().stream().anyMatch(Follower::isSilent);
    }
}
