package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.util.concurrent.CompletionException;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.server.RaftServer;

/** What a group's refusals and failures mean to who asked. */
final class GroupErrors {
    private final String group;
    private final RaftServer.Division division;

    GroupErrors(String group, RaftServer.Division division) {
        this.group = group;
        this.division = division;
    }

    /** Nothing was done, because this node does not lead, or not yet. */
    StorageException notLeader() {
        RaftPeerId leader = division.getInfo().getLeaderId();
        if (division.getId().equals(leader)) {
            return notReady(null);
        }
        RaftPeer known = leader == null ? null : division.getRaftConf().getPeer(leader);
        return new StorageException(
                ErrorCode.NOT_LEADER,
                "node "
                        + division.getId()
                        + " does not lead group "
                        + group
                        + (known == null
                                ? "; no leader is known now, ask again"
                                : "; node "
                                        + leader
                                        + " at "
                                        + Members.clientAddress(known)
                                        + " does, ask it"));
    }

    /** The answer of an entry. @throws StorageException when it was refused or is unknown */
    byte[] answer(RaftClientReply reply, Throwable failure) {
        if (failure != null) {
            throw ofWrite(failure);
        }
        if (!reply.isSuccess()) {
            throw ofWrite(reply.getException());
        }
        return reply.getMessage().getContent().toByteArray();
    }

    StorageException ofWrite(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof LeaderNotReadyException
                || cause instanceof LeaderSteppingDownException) {
            return notReady(cause);
        }
        if (cause instanceof ResourceUnavailableException) {
            return new StorageException(
                    ErrorCode.BUSY,
                    "group " + group + " has too many entries under way; try again",
                    cause);
        }
        // A leader that is deposed tells so of every entry on its way, whatever becomes of it.
        return new StorageException(
                ErrorCode.TIMEOUT,
                "group "
                        + group
                        + " did not confirm the write, which may or may not have taken effect: "
                        + cause
                        + ". Send it again only with its writer id and sequence",
                cause);
    }

    StorageException ofRead(Throwable failure) {
        Throwable cause = cause(failure);
        return new StorageException(
                ErrorCode.NOT_READY,
                "no leader of group " + group + " tells what is current: " + cause + "; try again",
                cause);
    }

    private StorageException notReady(Throwable cause) {
        return new StorageException(
                ErrorCode.NOT_READY,
                "the leader of group " + group + " is changing; nothing was written, try again",
                cause);
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    static StorageException removed(String proof) {
        return new StorageException(
                ErrorCode.INVALID_REQUEST,
                "this node was removed from the cluster ("
                        + proof
                        + "); what it has is of no use any more. To add it again, delete its data"
                        + " directory, start it, and run: bin/fluss nodes add"
                        + " ID@HOST:PORT:RAFTPORT");
    }
}
