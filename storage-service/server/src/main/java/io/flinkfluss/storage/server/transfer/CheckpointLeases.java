package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.server.replication.CheckpointFile;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.HeldCheckpoint;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Lets other nodes read this node's checkpoints. A lease keeps a checkpoint's files; it ends when
 * it is released or when nothing was asked of it for a while. Nothing outside a leased checkpoint
 * can be named. Thread-safe.
 */
public final class CheckpointLeases implements AutoCloseable {
    /** Each keeps files that might otherwise go, so there are not many. */
    private static final int MOST = 32;

    private static final long MISSING = -1;

    private final Function<String, CheckpointTransfer> groups;
    private final ServerClock clock;
    private final Duration patience;
    private final SecureRandom numbers = new SecureRandom();

    /** Guarded by this. */
    private final Map<Long, Lease> leases = new HashMap<>();

    private static final class Lease {
        private final String group;
        private final HeldCheckpoint held;
        private long usedNanos;

        Lease(String group, HeldCheckpoint held, long nowNanos) {
            this.group = group;
            this.held = held;
            usedNanos = nowNanos;
        }
    }

    /**
     * @param groups what sends the checkpoints of a group, null for an unknown one
     * @param patience a lease ends after so long without a request
     */
    public CheckpointLeases(
            Function<String, CheckpointTransfer> groups, ServerClock clock, Duration patience) {
        this.groups = groups;
        this.clock = clock;
        this.patience = patience;
    }

    /**
     * Leases the newest checkpoint.
     *
     * @throws StorageException NOT_READY when there is none that contains the entry, BUSY when
     *     there are too many leases, INVALID_REQUEST for an unknown group
     */
    public CheckpointListing lease(String group, long leastIndex) {
        CheckpointTransfer transfer = groups.apply(group);
        if (transfer == null) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "a checkpoint of group " + group + " was asked for; this node has no such");
        }
        expire();
        HeldCheckpoint held = transfer.hold().orElseThrow(() -> notReady(group, leastIndex, -1));
        try {
            if (held.position().index() < leastIndex) {
                throw notReady(group, leastIndex, held.position().index());
            }
            List<CheckpointListing.Entry> files = entries(held.files());
            synchronized (this) {
                if (leases.size() >= MOST) {
                    throw new StorageException(
                            ErrorCode.BUSY,
                            MOST + " checkpoints are being read from this node; try again");
                }
                long number = numbers.nextLong();
                leases.put(number, new Lease(group, held, clock.nanos()));
                return new CheckpointListing(number, held.position(), files);
            }
        } catch (IOException e) {
            held.close();
            throw new StorageException(
                    ErrorCode.INTERNAL, "could not list a checkpoint of group " + group, e);
        } catch (RuntimeException e) {
            held.close();
            throw e;
        }
    }

    private static StorageException notReady(String group, long leastIndex, long newest) {
        return new StorageException(
                ErrorCode.NOT_READY,
                "a checkpoint of group "
                        + group
                        + " that contains entry "
                        + leastIndex
                        + " was asked for; the newest here contains "
                        + (newest < 0 ? "nothing" : "entry " + newest)
                        + ". Try again");
    }

    /** Files that are one on the disk are sent once. */
    private static List<CheckpointListing.Entry> entries(List<CheckpointFile> files)
            throws IOException {
        Map<Object, Integer> known = new HashMap<>();
        List<CheckpointListing.Entry> entries = new ArrayList<>(files.size());
        for (CheckpointFile file : files) {
            Object key = key(file);
            Integer sameAs = key == null ? null : known.putIfAbsent(key, entries.size());
            boolean isSame = sameAs != null && files.get(sameAs).length() == file.length();
            entries.add(
                    new CheckpointListing.Entry(file.name(), file.length(), isSame ? sameAs : -1));
        }
        return entries;
    }

    private static Object key(CheckpointFile file) throws IOException {
        try {
            return Files.readAttributes(file.path(), BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException deleted) {
            return null;
        }
    }

    /**
     * CRC-32C of files as they are on this node's disk, -1 for one that was deleted meanwhile.
     *
     * @param files places in the listing
     * @throws StorageException SNAPSHOT_NOT_FOUND when the lease has ended
     */
    public List<Long> checksums(long lease, List<Integer> files) {
        List<Long> sums = new ArrayList<>(files.size());
        for (int place : files) {
            List<CheckpointFile> all = files(lease);
            CheckpointFile file = all.get(checked(place, all.size()));
            try {
                sums.add(FileChecksum.of(file.path(), file.length()));
            } catch (NoSuchFileException deleted) {
                sums.add(MISSING);
            } catch (IOException e) {
                throw new StorageException(
                        ErrorCode.INTERNAL, "could not read " + file.path() + ": " + e, e);
            }
        }
        return sums;
    }

    /**
     * Begins to read parts of files.
     *
     * @throws StorageException SNAPSHOT_NOT_FOUND when the lease has ended, INVALID_REQUEST
     */
    public Batches<FileChunk> read(FileTicket ticket) {
        int count = files(ticket.lease()).size();
        ticket.ranges().forEach(range -> checked(range.file(), count));
        return new FileChunks(() -> files(ticket.lease()), ticket.ranges());
    }

    private static int checked(int place, int count) {
        if (place < 0 || place >= count) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "file "
                            + place
                            + " was asked for; the checkpoint has files 0 to "
                            + (count - 1));
        }
        return place;
    }

    /** The files of a lease that goes on from now. */
    private List<CheckpointFile> files(long number) {
        synchronized (this) {
            Lease lease = leases.get(number);
            if (lease != null && !isOver(lease)) {
                lease.usedNanos = clock.nanos();
                return lease.held.files();
            }
        }
        throw new StorageException(
                ErrorCode.SNAPSHOT_NOT_FOUND,
                "the lease of a checkpoint has ended: nothing was asked of it for "
                        + patience.toSeconds()
                        + " s, or this node restarted. Lease it again.");
    }

    private boolean isOver(Lease lease) {
        return clock.nanos() - lease.usedNanos > patience.toNanos();
    }

    /** Ends a lease; an unknown one is ignored. */
    public void release(long number) {
        Lease lease;
        synchronized (this) {
            lease = leases.remove(number);
        }
        if (lease != null) {
            lease.held.close();
        }
    }

    /** Ends the leases whose time is over; called now and then. */
    public void expire() {
        List<Long> over = new ArrayList<>();
        synchronized (this) {
            leases.forEach(
                    (number, lease) -> {
                        if (isOver(lease)) {
                            over.add(number);
                        }
                    });
        }
        over.forEach(this::release);
    }

    /** How many checkpoints of a group are kept for other nodes. */
    public synchronized int count(String group) {
        return (int) leases.values().stream().filter(lease -> lease.group.equals(group)).count();
    }

    @Override
    public void close() {
        List<Long> all;
        synchronized (this) {
            all = List.copyOf(leases.keySet());
        }
        all.forEach(this::release);
    }
}
