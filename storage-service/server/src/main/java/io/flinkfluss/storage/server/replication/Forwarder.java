package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.TimeDuration;

/** Sends entries to the leader of a group from any node. */
final class Forwarder {
    /** A leader is found within 10 s, or there is none. */
    private static final int ATTEMPTS = 100;

    private static final TimeDuration PAUSE =
            TimeDuration.valueOf(100, java.util.concurrent.TimeUnit.MILLISECONDS);

    private final RaftServer.Division division;
    private final GroupErrors errors;

    /** Guards the client, which is made when it is needed first. */
    private final Object lock = new Object();

    private RaftClient client;

    /** Which the client was made for. */
    private Collection<RaftPeer> members = List.of();

    private boolean closed;

    Forwarder(RaftServer.Division division, GroupErrors errors) {
        this.division = division;
        this.errors = errors;
    }

    byte[] send(Message entry) {
        try {
            return errors.answer(client().io().send(entry), null);
        } catch (IOException failure) {
            throw errors.ofWrite(failure);
        }
    }

    private RaftClient client() {
        synchronized (lock) {
            if (closed) {
                throw new StorageException(ErrorCode.NOT_READY, "the server is stopping");
            }
            RaftGroup group = division.getGroup();
            if (client != null && !group.getPeers().equals(members)) {
                closeClient();
            }
            if (client == null) {
                members = group.getPeers();
                RaftProperties properties = new RaftProperties();
                client =
                        RaftClient.newBuilder()
                                .setProperties(properties)
                                .setRaftGroup(group)
                                .setRetryPolicy(
                                        RetryPolicies.retryUpToMaximumCountWithFixedSleep(
                                                ATTEMPTS, PAUSE))
                                .build();
            }
            return client;
        }
    }

    void close() {
        synchronized (lock) {
            closed = true;
            if (client != null) {
                closeClient();
            }
        }
    }

    private void closeClient() {
        synchronized (lock) {
            try {
                client.close();
            } catch (IOException alreadyGone) {
                throw new StorageException(
                        ErrorCode.INTERNAL, "a channel to the peers did not close", alreadyGone);
            } finally {
                client = null;
            }
        }
    }
}
