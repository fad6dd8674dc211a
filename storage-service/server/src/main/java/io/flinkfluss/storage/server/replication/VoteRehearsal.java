package io.flinkfluss.storage.server.replication;

import java.io.IOException;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks peers for a vote in a pre-vote of an election that is long over, which changes nothing. A
 * channel between two followers is otherwise made, and its code loaded, when a leader has died and
 * every millisecond counts.
 */
final class VoteRehearsal {
    private static final Logger LOG = LoggerFactory.getLogger(VoteRehearsal.class);

    private VoteRehearsal() {}

    /** Blocks until the peer has answered, or a deadline of Ratis. */
    static void with(String peer, RaftServer.Division division) {
        RaftRpcRequestProto request =
                RaftRpcRequestProto.newBuilder()
                        .setRequestorId(division.getId().toByteString())
                        .setReplyId(RaftPeerId.valueOf(peer).toByteString())
                        .setRaftGroupId(
                                RaftGroupIdProto.newBuilder()
                                        .setId(division.getMemberId().getGroupId().toByteString()))
                        .build();
        RequestVoteRequestProto vote =
                RequestVoteRequestProto.newBuilder()
                        .setServerRequest(request)
                        .setCandidateTerm(0)
                        .setCandidateLastEntry(TermIndexProto.getDefaultInstance())
                        .setPreVote(true)
                        .build();
        try {
            division.getRaftServer().getServerRpc().requestVote(vote);
        } catch (IOException | RuntimeException away) {
            LOG.debug("peer {} is away", peer, away);
        }
    }
}
