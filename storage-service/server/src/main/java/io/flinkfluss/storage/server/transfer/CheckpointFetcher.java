package io.flinkfluss.storage.server.transfer;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives a checkpoint from another node. What is in the incoming folder already is kept if it is
 * right: a file of which a part is there goes on at its end, and files that this replica has are
 * taken from itself. No file counts before its checksum is the other node's. One thread.
 */
public final class CheckpointFetcher {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointFetcher.class);

    /** Files are asked for and checked together up to this size. */
    private static final long BATCH_BYTES = 32L << 20;

    private static final int BATCH_FILES = 500;
    private static final int TRIES = 3;
    private static final long DELETED = -1;

    private final PeerCheckpoints peer;
    private final Pace pace;
    private final ServerClock clock;

    public CheckpointFetcher(PeerCheckpoints peer, Pace pace, ServerClock clock) {
        this.peer = peer;
        this.pace = pace;
        this.clock = clock;
    }

    /**
     * Fetches until everything is here, right and durable.
     *
     * @throws StorageException what the other node refused with; UNREACHABLE; CORRUPT_DATA when a
     *     file came out wrong again and again. Another call goes on.
     */
    public Position fetch(String group, CheckpointTransfer transfer, long leastIndex) {
        CheckpointListing listing = peer.lease(group, leastIndex);
        try (Incoming incoming = new Incoming(transfer.incoming())) {
            Fetch fetch = new Fetch(listing, transfer, incoming, group);
            fetch.run();
            Position position = transfer.verify();
            incoming.forceAll();
            LOG.info("{}", fetch.progress);
            return position;
        } catch (IOException e) {
            throw new StorageException(
                    ErrorCode.INTERNAL,
                    "could not write a received checkpoint to "
                            + transfer.incoming()
                            + ": "
                            + e
                            + ". Check that disk.",
                    e);
        } finally {
            release(listing);
        }
    }

    private void release(CheckpointListing listing) {
        try {
            peer.release(listing.lease());
        } catch (StorageException gone) {
            LOG.debug("the lease ends by itself: {}", gone.getMessage());
        }
    }

    /** The reception of one listing. */
    private final class Fetch {
        private final CheckpointListing listing;
        private final CheckpointTransfer transfer;
        private final Incoming incoming;
        private final FetchProgress progress;

        /** Places of files that were deleted on the other node because nobody needs them. */
        private final Set<Integer> dropped = new HashSet<>();

        Fetch(
                CheckpointListing listing,
                CheckpointTransfer transfer,
                Incoming incoming,
                String group) {
            this.listing = listing;
            this.transfer = transfer;
            this.incoming = incoming;
            String what = "fetching the checkpoint of " + group + " at entry ";
            progress =
                    new FetchProgress(
                            what + listing.position().index(), listing.totalBytes(), clock);
        }

        void run() throws IOException {
            Set<String> names = new HashSet<>();
            listing.files().forEach(file -> names.add(file.name()));
            incoming.keepOnly(names);
            List<Integer> batch = new ArrayList<>();
            long bytes = 0;
            for (int place = 0; place < listing.files().size(); place++) {
                if (file(place).sameAs() >= 0) {
                    continue;
                }
                batch.add(place);
                bytes += file(place).length();
                if (bytes >= BATCH_BYTES || batch.size() == BATCH_FILES) {
                    receive(batch);
                    batch.clear();
                    bytes = 0;
                }
            }
            receive(batch);
            for (int place = 0; place < listing.files().size(); place++) {
                int sameAs = file(place).sameAs();
                if (sameAs >= 0 && !dropped.contains(sameAs)) {
                    incoming.link(file(place).name(), file(sameAs).name());
                }
            }
            for (int place : dropped) {
                // A part of a snapshot is of no use.
                incoming.deleteFolderOf(file(place).name());
            }
        }

        private CheckpointListing.Entry file(int place) {
            return listing.files().get(place);
        }

        private void receive(List<Integer> batch) throws IOException {
            for (int place : batch) {
                reuse(file(place));
            }
            List<Integer> wrong = new ArrayList<>(batch);
            for (int attempt = 1; attempt <= TRIES && !wrong.isEmpty(); attempt++) {
                read(wrong);
                wrong = check(wrong);
            }
            if (!wrong.isEmpty()) {
                throw new StorageException(
                        ErrorCode.CORRUPT_DATA,
                        "the file "
                                + file(wrong.get(0)).name()
                                + " of a checkpoint was received "
                                + TRIES
                                + " times and its checksum was wrong each time. Check the disks of"
                                + " both nodes and what is between them.");
            }
        }

        /** Takes what this replica has and the other node's checkpoint may have, too. */
        private void reuse(CheckpointListing.Entry file) throws IOException {
            if (incoming.length(file.name()) > 0) {
                incoming.cut(file.name(), file.length());
            } else {
                var local = transfer.similar(file.name());
                if (local.isPresent()) {
                    incoming.reuse(file.name(), local.get(), file.length());
                }
            }
            progress.reused(incoming.length(file.name()));
        }

        private void read(List<Integer> places) throws IOException {
            List<FileTicket.Range> ranges = new ArrayList<>();
            for (int place : places) {
                long here = incoming.length(file(place).name());
                if (here < file(place).length()) {
                    ranges.add(new FileTicket.Range(place, here, file(place).length() - here));
                }
                if (!incoming.exists(file(place).name())) {
                    incoming.touch(file(place).name());
                }
            }
            if (!ranges.isEmpty()) {
                peer.read(new FileTicket(listing.lease(), ranges), this::take);
            }
        }

        private void take(FileChunk chunk) {
            try {
                int bytes = chunk.bytes().remaining();
                incoming.append(file(chunk.file()).name(), chunk.position(), chunk.bytes());
                progress.received(bytes);
                pace.move(bytes);
            } catch (IOException e) {
                throw new StorageException(
                        ErrorCode.INTERNAL, "could not write what was received: " + e, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StorageException(ErrorCode.CLOSED, "the server is stopping", e);
            }
        }

        /** Returns those that are wrong, and forgets what was received of them. */
        private List<Integer> check(List<Integer> places) throws IOException {
            List<Long> theirs = peer.checksums(listing.lease(), places);
            List<Integer> wrong = new ArrayList<>();
            for (int i = 0; i < places.size(); i++) {
                CheckpointListing.Entry file = file(places.get(i));
                if (theirs.get(i) == DELETED && file.name().startsWith("snapshots/")) {
                    dropped.add(places.get(i));
                } else if (incoming.length(file.name()) == file.length()
                        && incoming.checksum(file.name(), file.length()) == theirs.get(i)) {
                    incoming.force(file.name());
                } else {
                    LOG.warn(
                            "{} of a checkpoint differs from the other node's; it is fetched again",
                            file.name());
                    incoming.delete(file.name());
                    wrong.add(places.get(i));
                }
            }
            return wrong;
        }
    }
}
