package io.flinkfluss.storage.server.replication;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorageDirectory;
import org.apache.ratis.server.storage.RaftStorageImpl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after Ratis' file of a group's members. Ratis 3.3.0 writes it when a leader begins or
 * members change, and when the disk is full then, an empty file takes the place of the good one. As
 * long as the log has the entry with the members nothing is lost; so the file is written again
 * before a checkpoint, which a full disk does not take either, lets that part of the log go.
 */
final class MemberFile {
    private static final Logger LOG = LoggerFactory.getLogger(MemberFile.class);

    private MemberFile() {}

    /** Writes the file again if it is empty; called several times a second. */
    static void keep(RaftServer.Division division) {
        if (!(division.getRaftStorage() instanceof RaftStorageImpl storage)) {
            return;
        }
        RaftStorageDirectory folder = division.getRaftStorage().getStorageDir();
        Path file = folder.getCurrentDir().toPath().resolve("raft-meta.conf");
        try {
            if (!Files.exists(file) || Files.size(file) > 0) {
                return;
            }
            LogEntryProto members =
                    division.getRaftLog().get(division.getRaftConf().getLogEntryIndex());
            if (members != null && members.hasConfigurationEntry()) {
                LOG.info("writing {} again: it is empty", file);
                storage.writeRaftConfiguration(members);
            }
        } catch (IOException | RuntimeException tryAgain) {
            LOG.debug("{} cannot be looked after now", file, tryAgain);
        }
    }
}
