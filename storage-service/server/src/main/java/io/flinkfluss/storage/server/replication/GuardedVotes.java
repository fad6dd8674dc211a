package io.flinkfluss.storage.server.replication;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import java.util.UUID;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the {@link VoteGuard} what other nodes send to Ratis, and stops the votes it refuses, and
 * whatever has a term that the {@link TermBounds} do not cover. An election that a vote makes
 * pointless is ended through {@link StaleElections}.
 */
final class GuardedVotes implements GrpcServices.Customizer, ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedVotes.class);

    private static final String NOT_COVERED =
            "this node cannot store that it takes part in this term; its disk is full or broken";

    private final VoteGuard guard;
    private final TermBounds terms;
    private final StaleElections elections;

    GuardedVotes(VoteGuard guard, TermBounds terms, StaleElections elections) {
        this.guard = guard;
        this.terms = terms;
        this.elections = elections;
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
                String why = whyNot(message);
                refused = why != null;
                if (refused) {
                    call.close(Status.FAILED_PRECONDITION.withDescription(why), new Metadata());
                    return;
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

    /** Why Ratis shall not see the message; null when it shall. */
    private String whyNot(Object message) {
        if (message instanceof RequestVoteRequestProto vote) {
            if (!isCovered(vote.getServerRequest(), vote.getCandidateTerm())) {
                return NOT_COVERED;
            }
            if (refuses(vote)) {
                return "this node has just answered a leader, or the same question";
            }
            if (!vote.getPreVote()) {
                id(vote.getServerRequest())
                        .ifPresent(uuid -> elections.asked(RaftGroupId.valueOf(uuid)));
            }
            return null;
        }
        if (message instanceof AppendEntriesRequestProto append) {
            RaftRpcRequestProto from = append.getServerRequest();
            if (!isCovered(from, append.getLeaderTerm())) {
                return NOT_COVERED;
            }
            guard.heard(group(from), sender(from), append.getLeaderTerm());
        }
        return null;
    }

    private boolean isCovered(RaftRpcRequestProto from, long term) {
        return id(from).map(uuid -> terms.covers(uuid, term)).orElse(true);
    }

    /** Empty when it is none of Ratis'. */
    private static Optional<UUID> id(RaftRpcRequestProto from) {
        ByteBuffer id = from.getRaftGroupId().getId().asReadOnlyByteBuffer();
        return id.remaining() == 2 * Long.BYTES
                ? Optional.of(new UUID(id.getLong(), id.getLong()))
                : Optional.empty();
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
