package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.TimeDuration;

/**
 * One change of the members or the leader of a group, made by the group's leader wherever it is.
 * Blocks. The members change only if they are still those that this node knows, so that two changes
 * at once cannot undo each other; a change that was made already is made again without effect.
 */
final class MemberChange {
    private static final TimeDuration PAUSE = TimeDuration.valueOf(100, TimeUnit.MILLISECONDS);

    /** A leader is found within 3 s, or the change is tried anew with the members of then. */
    private static final int ATTEMPTS = 30;

    /** A new member that catches up keeps the request open; then it is asked again. */
    private static final TimeDuration ANSWER = TimeDuration.valueOf(10, TimeUnit.SECONDS);

    private final RaftServer.Division division;
    private final Duration deadline;
    private final ServerClock clock;
    private final Object pause = new Object();

    MemberChange(RaftServer.Division division, Duration deadline, ServerClock clock) {
        this.division = division;
        this.deadline = deadline;
        this.clock = clock;
    }

    void add(Peer peer) {
        change(
                members -> {
                    List<RaftPeer> all = new ArrayList<>(members);
                    if (members.stream().noneMatch(each -> isNode(each, peer.id()))) {
                        all.add(Members.toRaft(peer));
                    }
                    return all;
                },
                "adding node " + peer.id());
    }

    void remove(String node) {
        change(
                members -> members.stream().filter(each -> !isNode(each, node)).toList(),
                "removing node " + node);
    }

    void moveLeader(String node) {
        try (RaftClient client = client()) {
            RaftClientReply reply =
                    client.admin()
                            .transferLeadership(RaftPeerId.valueOf(node), deadline.toMillis());
            if (!reply.isSuccess()) {
                throw reply.getException();
            }
        } catch (IOException failure) {
            throw new StorageException(
                    ErrorCode.NOT_READY,
                    "node "
                            + node
                            + " did not take the lead of "
                            + division.getMemberId()
                            + "'s group: "
                            + failure.getMessage(),
                    failure);
        }
    }

    private void change(UnaryOperator<List<RaftPeer>> wanted, String what) {
        long end = clock.nanos() + deadline.toNanos();
        IOException last = null;
        while (end - clock.nanos() > 0) {
            List<RaftPeer> current = List.copyOf(division.getRaftConf().getCurrentPeers());
            try (RaftClient client = client()) {
                RaftClientReply reply =
                        client.admin().setConfiguration(arguments(current, wanted.apply(current)));
                if (reply.isSuccess()) {
                    return;
                }
                last = reply.getException();
            } catch (IOException failure) {
                // Another change is under way, the members are others by now, or nobody leads.
                last = failure;
            }
            pause(what);
        }
        throw new StorageException(
                ErrorCode.TIMEOUT,
                what
                        + " was not confirmed by group member "
                        + division.getMemberId()
                        + " within "
                        + deadline.toSeconds()
                        + " s: "
                        + last
                        + ". Ask again to continue",
                last);
    }

    private static SetConfigurationRequest.Arguments arguments(
            Collection<RaftPeer> current, List<RaftPeer> wanted) {
        return SetConfigurationRequest.Arguments.newBuilder()
                .setServersInCurrentConf(List.copyOf(current))
                .setServersInNewConf(wanted)
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .build();
    }

    private void pause(String what) {
        synchronized (pause) {
            try {
                TimeUnit.MILLISECONDS.timedWait(pause, PAUSE.toLong(TimeUnit.MILLISECONDS));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new StorageException(
                        ErrorCode.TIMEOUT, what + " was interrupted", interrupted);
            }
        }
    }

    private RaftClient client() {
        RaftProperties properties = new RaftProperties();
        RaftClientConfigKeys.Rpc.setRequestTimeout(properties, ANSWER);
        return RaftClient.newBuilder()
                .setProperties(properties)
                .setRaftGroup(division.getGroup())
                .setRetryPolicy(RetryPolicies.retryUpToMaximumCountWithFixedSleep(ATTEMPTS, PAUSE))
                .build();
    }

    private static boolean isNode(RaftPeer peer, String node) {
        return peer.getId().toString().equals(node);
    }
}
