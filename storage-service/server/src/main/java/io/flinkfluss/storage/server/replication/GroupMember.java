package io.flinkfluss.storage.server.replication;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.server.RaftServer;

/** Asks Ratis about this node's member of a group. */
final class GroupMember {
    private GroupMember() {}

    static GroupFigures figures(RaftServer server, RaftGroupId id, ReplicatedGroup group) {
        try {
            RaftServer.Division member = server.getDivision(id);
            return new GroupFigures(
                    group.isLeader(),
                    group.leader().orElse(""),
                    member.getInfo().getCurrentTerm(),
                    member.getRaftLog().getLastCommittedIndex(),
                    member.getInfo().getLastAppliedIndex(),
                    bytes(member.getRaftStorage().getStorageDir().getRoot().toPath()),
                    group.bytesSinceCheckpoint(),
                    group.applyTimeSinceCheckpoint());
        } catch (IOException stopping) {
            return new GroupFigures(false, "", 0, 0, 0, 0, 0, Duration.ZERO);
        }
    }

    static LogFlushes flushes(RaftServer server, RaftGroupId id) {
        return LogFlushes.of(RaftGroupMemberId.valueOf(server.getId(), id));
    }

    private static long bytes(Path folder) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder.resolve("current"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                // A segment may be purged meanwhile.
                bytes += file.toFile().length();
            }
        }
        return bytes;
    }
}
