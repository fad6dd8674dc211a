package io.flinkfluss.storage.server.remote;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.server.log.LogFacts;
import io.flinkfluss.storage.server.log.RemoteSegment;
import io.flinkfluss.storage.server.log.SegmentFacts;
import io.flinkfluss.storage.server.runtime.SteadyTime;
import io.flinkfluss.storage.server.shard.HousekeptShard;
import io.flinkfluss.storage.server.shard.ShardAnswer;
import io.flinkfluss.storage.server.shard.ShardCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one shard's complete segments to remote storage and deletes objects that the shard does
 * not know, where this node leads. {@link #step} is called by one thread at a time and waits for
 * remote storage; while that fails, it is left alone for longer and longer.
 */
public final class RemoteLog {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteLog.class);
    private static final long FIRST_PAUSE = 1_000;
    private static final long LONGEST_PAUSE = 5 * 60_000;
    private static final long DEADLINE_MINUTES = 30;

    private final HousekeptShard shard;
    private final RemoteStorage storage;
    private final SegmentUploads uploads;
    private final RemoteLogSettings settings;
    private final RemoteLogCounters counters;
    private final SteadyTime time;
    private final RemoteGarbage garbage;

    private long lookedAt = Long.MIN_VALUE;
    private long pause;
    private long resumesAt;

    public RemoteLog(
            HousekeptShard shard,
            RemoteStorage storage,
            SegmentUploads uploads,
            RemoteLogSettings settings,
            RemoteLogCounters counters,
            SteadyTime time) {
        this.shard = shard;
        this.storage = storage;
        this.uploads = uploads;
        this.settings = settings;
        this.counters = counters;
        this.time = time;
        this.garbage = new RemoteGarbage(settings.deleteGrace().toMillis());
    }

    /** Copies what is complete, then cleans up. */
    public void step() {
        long now = time.millis();
        if (!shard.leads() || shard.logs().bornMillis() == 0) {
            garbage.clear();
            lookedAt = Long.MIN_VALUE;
            return;
        }
        if (now < resumesAt) {
            return;
        }
        try {
            copy();
            if (lookedAt == Long.MIN_VALUE
                    || now - lookedAt >= settings.deleteGrace().toMillis() / 2) {
                lookedAt = now;
                garbage.look(storage.list(folder()), shard.logs().remoteObjects(), now);
            }
            deleteGarbage(now);
            if (pause > 0) {
                LOG.info("Shard {} goes on with remote storage", shard.number());
            }
            pause = 0;
        } catch (StorageException failure) {
            pause = Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, 2 * pause));
            resumesAt = now + pause;
            LOG.warn(
                    "Shard {} leaves remote storage {} alone for {} ms; segments that are not"
                            + " copied stay on local disks: {}",
                    shard.number(),
                    storage,
                    pause,
                    failure.getMessage());
        }
    }

    /** The folder of the shard's objects; shards of other clusters have others. */
    String folder() {
        return "log/" + Long.toHexString(shard.logs().bornMillis()) + "-" + shard.number() + "/";
    }

    private record Copy(BucketId bucket, CompletableFuture<RemoteSegment> written) {}

    private void copy() {
        List<Copy> copies = new ArrayList<>();
        for (BucketId bucket : shard.logs().buckets()) {
            for (SegmentFacts segment : missing(bucket)) {
                if (copies.size() < settings.segmentsAtOnce()) {
                    copies.add(
                            new Copy(
                                    bucket, uploads.copy(shard.logs(), bucket, segment, folder())));
                }
            }
        }
        StorageException firstFailure = null;
        for (Copy copy : copies) {
            try {
                makeKnown(copy.bucket(), await(copy.written(), "copying a segment"));
            } catch (StorageException failure) {
                counters.copyFailed();
                firstFailure = firstFailure == null ? failure : firstFailure;
            }
        }
        if (firstFailure != null) {
            throw firstFailure;
        }
    }

    /** Complete segments that are not in remote storage. */
    private List<SegmentFacts> missing(BucketId bucket) {
        try {
            LogFacts log = shard.logs().facts(bucket);
            return log.segments().stream()
                    .filter(segment -> segment.isSealed() && segment.endOffset() > log.remoteEnd())
                    .toList();
        } catch (StorageException failure) {
            LOG.warn("Bucket {} is not copied: {}", bucket, failure.getMessage());
            return List.of();
        }
    }

    private void makeKnown(BucketId bucket, RemoteSegment segment) {
        ShardAnswer answer =
                await(
                        shard.propose(new ShardCommand.AddRemoteSegment(bucket, segment)),
                        "making a copy known");
        if (answer instanceof ShardAnswer.Refused refused) {
            // Another node was faster, or the rows are given up: nobody will ever know this one,
            // unless the command was written twice.
            LOG.info("Shard {}: {}", shard.number(), refused.message());
            if (!shard.logs().remoteObjects().contains(segment.name())) {
                delete(segment.name());
            }
        } else {
            counters.copied(segment.objectLength());
        }
    }

    private void deleteGarbage(long now) {
        List<String> due = garbage.due(now);
        if (due.isEmpty()) {
            return;
        }
        // An earlier leader that slept must not delete what its successors made known.
        await(shard.leaderBarrier(), "asking whether this node still leads");
        Set<String> known = shard.logs().remoteObjects();
        for (String name : due) {
            if (!known.contains(name)) {
                delete(name);
            }
            garbage.deleted(name);
        }
    }

    private void delete(String name) {
        try {
            storage.delete(name);
            counters.deleted();
        } catch (StorageException failure) {
            counters.deleteFailed();
            throw failure;
        }
    }

    private static <T> T await(CompletableFuture<T> answer, String what) {
        try {
            return answer.get(DEADLINE_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            while (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw cause instanceof StorageException known
                    ? known
                    : new StorageException(ErrorCode.INTERNAL, what + " failed: " + cause, cause);
        } catch (TimeoutException late) {
            throw new StorageException(
                    ErrorCode.TIMEOUT,
                    what + " took longer than " + DEADLINE_MINUTES + " min",
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StorageException(ErrorCode.CLOSED, what + " was interrupted", interrupted);
        }
    }
}
