package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.log.RemoteReads;
import io.flinkfluss.storage.server.remote.RemoteBlocks;
import io.flinkfluss.storage.server.remote.RemoteLog;
import io.flinkfluss.storage.server.remote.RemoteLogCounters;
import io.flinkfluss.storage.server.remote.RemoteLogSettings;
import io.flinkfluss.storage.server.remote.RemoteStorage;
import io.flinkfluss.storage.server.remote.SegmentUploads;
import io.flinkfluss.storage.server.retention.LogRetention;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import io.flinkfluss.storage.server.runtime.SteadyTime;
import io.flinkfluss.storage.server.shard.HousekeptShard;
import io.flinkfluss.storage.server.shard.ShardAnswer;
import io.flinkfluss.storage.server.shard.ShardCommand;
import io.flinkfluss.storage.server.shard.ShardLogs;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Retention and remote storage of all shards of this node. */
final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final int RETENTION_THREADS = 2;
    private static final int REMOTE_THREADS = 4;

    private final ServerConfig.Logs config;
    private final ServerThreads threads;
    private final RemoteLogSettings settings;
    private final SteadyTime time;
    private final RemoteLogCounters counters = new RemoteLogCounters();

    /** All three null without remote storage. */
    private final RemoteStorage storage;

    private final SegmentUploads uploads;
    private final RemoteBlocks blocks;

    /**
     * Opens remote storage, if there is one.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException INVALID_OPTION
     */
    Housekeeping(ServerConfig config, ServerThreads threads, ServerClock clock) {
        this.config = config.logs();
        this.threads = threads;
        time = new SteadyTime(clock);
        ServerConfig.Remote remote = this.config.remote();
        settings =
                new RemoteLogSettings(
                        config.self().id(), remote.segmentsAtOnce(), remote.deleteGrace());
        if (remote.folder().isEmpty()) {
            storage = null;
            uploads = null;
            blocks = null;
            return;
        }
        storage = RemoteStorage.open(remote.folder(), remote.settings());
        blocks =
                new RemoteBlocks(
                        storage,
                        threads.newPool("fluss-remote-read", remote.threads()),
                        remote.cacheBytes());
        uploads =
                new SegmentUploads(
                        storage,
                        threads.newPool("fluss-remote-copy", remote.threads()),
                        new Pace(clock, remote.bytesPerSecond()),
                        config.self().id() + "-" + Long.toHexString(clock.millis()));
    }

    /** How segments in remote storage are read. */
    RemoteReads reads() {
        return blocks == null ? RemoteReads.NONE : blocks;
    }

    /** What copying has done. */
    RemoteLogCounters counters() {
        return counters;
    }

    /**
     * Begins; the shards are open. Nothing is done as long as a node reads only the first release's
     * formats: it could not read what is decided.
     */
    void start(List<? extends HousekeptShard> shards, Metadata metadata) {
        Executor retaining = threads.newPool("fluss-retention", RETENTION_THREADS);
        LogRetention.Tables tables = new TablesOfMetadata(metadata);
        for (HousekeptShard shard : shards) {
            LogRetention retention = new LogRetention(shard, tables, time, config.readerPatience());
            every(
                    "retention of shard " + shard.number(),
                    retaining,
                    onceAllowed(metadata, retention::step));
        }
        if (storage == null) {
            return;
        }
        Executor copying = threads.newPool("fluss-remote-log", REMOTE_THREADS);
        for (HousekeptShard shard : shards) {
            RemoteLog log = new RemoteLog(shard, storage, uploads, settings, counters, time);
            every(
                    "the remote log of shard " + shard.number(),
                    copying,
                    onceAllowed(metadata, log::step));
        }
    }

    private static Runnable onceAllowed(Metadata metadata, Runnable step) {
        return () -> {
            if (metadata.state().level().level().includes(FormatLevel.RETENTION)) {
                step.run();
            }
        };
    }

    /** Repeats a step that may take long, on these threads, one at a time. */
    private void every(String what, Executor executor, Runnable step) {
        AtomicBoolean running = new AtomicBoolean();
        var unused =
                threads.every(
                        config.interval(),
                        what,
                        () -> {
                            if (running.compareAndSet(false, true)) {
                                executor.execute(() -> run(what, step, running));
                            }
                        });
    }

    private static void run(String what, Runnable step, AtomicBoolean running) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            LOG.warn("{} failed; it is tried again", what, failure);
        } finally {
            running.set(false);
        }
    }

    /** Ends copies that are under way. */
    void stop() {
        if (uploads != null) {
            uploads.close();
        }
    }

    @Override
    public void close() {
        if (storage != null) {
            storage.close();
        }
    }

    /** A shard of this node as its housekeeping uses it. */
    record Kept(int number, Shard shard, ShardLogs logs) implements HousekeptShard {
        @Override
        public boolean leads() {
            return shard.group().isLeader();
        }

        @Override
        public CompletableFuture<Void> leaderBarrier() {
            return shard.group().leaderBarrier();
        }

        @Override
        public CompletableFuture<ShardAnswer> propose(ShardCommand command) {
            return shard.propose(command);
        }
    }

    private record TablesOfMetadata(Metadata metadata) implements LogRetention.Tables {
        @Override
        public Optional<TableInfo> table(TableId table) {
            return metadata.state().table(table);
        }

        @Override
        public Optional<LakeTiering> tiering(TableId table) {
            return metadata.state().tiering(table);
        }
    }
}
