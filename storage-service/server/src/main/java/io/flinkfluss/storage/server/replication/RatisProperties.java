package io.flinkfluss.storage.server.replication;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.Log;
import org.apache.ratis.server.RaftServerConfigKeys.Rpc;
import org.apache.ratis.server.RaftServerConfigKeys.Snapshot;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Turns our settings into Ratis' properties. Each line that departs from a default says why. */
final class RatisProperties {
    private static final int MIB = 1024 * 1024;
    private static final TimeDuration A_DAY = TimeDuration.valueOf(1, TimeUnit.DAYS);

    /** A lone node elects itself after so long. */
    private static final long ALONE_MILLIS = 40;

    private RatisProperties() {}

    static RaftProperties of(ReplicationSettings settings) throws IOException {
        RaftProperties properties = new RaftProperties();
        Path removed = settings.folder().resolveSibling("raft-removed");
        Files.createDirectories(settings.folder());
        RaftServerConfigKeys.setStorageDir(properties, List.of(settings.folder().toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(properties, removed.toFile());
        log(properties, settings);
        elections(properties, settings);
        reads(properties);
        rpc(properties, settings);
        // We take checkpoints by bytes and age; Ratis' trigger counts entries of any size.
        Snapshot.setAutoTriggerEnabled(properties, false);
        Snapshot.setTriggerWhenStopEnabled(properties, false);
        // One thread hands entries over, so the order of submission is the order in the log.
        RaftServerConfigKeys.ThreadPool.setClientCached(properties, false);
        RaftServerConfigKeys.ThreadPool.setClientSize(properties, 1);
        // Every submission has its own id and is never repeated: answers need not be remembered.
        RaftServerConfigKeys.RetryCache.setExpiryTime(
                properties, TimeDuration.valueOf(5, TimeUnit.SECONDS));
        return properties;
    }

    private static void log(RaftProperties properties, ReplicationSettings settings) {
        SizeInBytes largest = SizeInBytes.valueOf(settings.largestEntry() + 64 * 1024L);
        Log.Appender.setBufferByteLimit(properties, largest);
        Log.setWriteBufferSize(
                properties, SizeInBytes.valueOf(settings.largestEntry() + 128 * 1024L));
        // Closed segments leave the disk at the first checkpoint that covers them.
        Log.setPurgeGap(properties, 1);
        // Also when a peer lacks them, which may be away for ever: it gets a checkpoint instead.
        // One checkpoint's worth of entries stays: the state keeps an older one to fall back to.
        Log.setPurgeUptoSnapshotIndex(properties, true);
        Log.Appender.setInstallSnapshotEnabled(properties, false);
        // Bounds heap: the open segment and one closed one of each group are cached.
        Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(16L * MIB));
        Log.setSegmentCacheNumMax(properties, 1);
        Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf(16L * MIB));
        Log.setPreallocatedSize(properties, SizeInBytes.valueOf(4L * MIB));
        Log.setQueueByteLimit(properties, SizeInBytes.valueOf(4L * settings.largestEntry()));
        // Would add one more entry, with its own fsync, after each commit.
        Log.setLogMetadataEnabled(properties, false);
        // Measured: composing is slower, and it races in Ratis 3.2.2.
        Log.setAppendEntriesComposeEnabled(properties, false);
        Log.Appender.setWaitTimeMin(properties, TimeDuration.ZERO);
        Log.setUnsafeFlushEnabled(
                properties,
                settings.durability() == ReplicationSettings.Durability.OPERATING_SYSTEM);
    }

    private static void elections(RaftProperties properties, ReplicationSettings settings) {
        // Alone there is nobody to wait for; with others, short timeouts fire falsely under load.
        long shortest = settings.isAlone() ? ALONE_MILLIS : settings.electionTimeout().toMillis();
        long longest =
                settings.isAlone()
                        ? ALONE_MILLIS + ALONE_MILLIS / 2
                        : settings.longestSilence().toMillis();
        Rpc.setTimeoutMin(properties, millis(shortest));
        Rpc.setTimeoutMax(properties, millis(longest));
        // A follower whose timer was late by more takes itself for stalled and waits again. Busy
        // cores make it late; the pre-vote keeps it from disturbing a leader that lives.
        RaftServerConfigKeys.setSleepDeviationThreshold(
                properties, millis(Math.max(300, shortest)));
        // Until a silent follower counts as slow, its leader turns without a pause, for a minute by
        // default.
        Rpc.setSlownessTimeout(properties, millis(shortest));
        // Ratis would close a server that slept for a minute. It may have lost its leadership, but
        // it can go on.
        RaftServerConfigKeys.setCloseThreshold(properties, A_DAY);
        // A cluster of one grows by one: the new member has caught up before it gets a vote.
        RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(properties, true);
        // How long a leader that lost its majority takes no part in elections: those that it did
        // not
        // hear go first. Not for ever, it may be the only one with the newest entries.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
                properties, settings.isAlone() ? A_DAY : millis(2 * shortest));
    }

    private static void reads(RaftProperties properties) {
        // A read barrier without a round trip while a majority has confirmed the leader lately.
        // Leases run on System.nanoTime, which goes on while the process is stopped.
        RaftServerConfigKeys.Read.setOption(
                properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, true);
    }

    private static void rpc(RaftProperties properties, ReplicationSettings settings) {
        RaftConfigKeys.Rpc.setType(properties, new GroupRpc());
        String host = settings.isAlone() ? "127.0.0.1" : settings.listenHost();
        GrpcConfigKeys.Server.setHost(properties, host);
        GrpcConfigKeys.Server.setPort(properties, settings.self().raftPort());
        GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(properties, 16);
        GrpcConfigKeys.setMessageSizeMax(
                properties, SizeInBytes.valueOf(settings.largestEntry() + 8L * MIB));
        // A follower that comes back is found within this time; Ratis' own policy goes up to 5 s.
        Log.Appender.setRetryPolicy(properties, "10ms,10, 200ms,100000000");
    }

    private static TimeDuration millis(long millis) {
        return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
    }
}
