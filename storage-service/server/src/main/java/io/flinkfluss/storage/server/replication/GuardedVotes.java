package io.flinkfluss.storage.server.replication;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the {@link VoteGuard} what other nodes send to Ratis, and stops the votes it refuses. */
final class GuardedVotes implements GrpcServices.Customizer, ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedVotes.class);

    private final VoteGuard guard;

    GuardedVotes(VoteGuard guard) {
        this.guard = guard;
    }

    @Override
    public NettyServerBuilder customize(
            NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
        return builder.intercept(this);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                refused = message instanceof RequestVoteRequestProto vote && refuses(vote);
                if (refused) {
                    call.close(
                            Status.FAILED_PRECONDITION.withDescription(
                                    "this node has just answered a leader, or the same question"),
                            new Metadata());
                    return;
                }
                if (message instanceof AppendEntriesRequestProto append) {
                    RaftRpcRequestProto from = append.getServerRequest();
                    guard.heard(group(from), sender(from), append.getLeaderTerm());
                }
                super.onMessage(message);
            }

            @Override
            public void onHalfClose() {
                if (!refused) {
                    super.onHalfClose();
                }
            }
        };
    }

    private boolean refuses(RequestVoteRequestProto vote) {
        RaftRpcRequestProto from = vote.getServerRequest();
        if (vote.getPreVote()) {
            return !guard.askedBeforehand(group(from), sender(from), vote.getCandidateTerm());
        }
        boolean refused = guard.refuses(group(from), sender(from), vote.getCandidateTerm());
        if (refused) {
            LOG.info(
                    "no vote for node {} in term {}: its leader was heard since it asked",
                    sender(from),
                    vote.getCandidateTerm());
        }
        return refused;
    }

    private static String sender(RaftRpcRequestProto from) {
        return from.getRequestorId().toStringUtf8();
    }

    private static String group(RaftRpcRequestProto from) {
        return from.getRaftGroupId().getId().toString(StandardCharsets.ISO_8859_1);
    }
}
