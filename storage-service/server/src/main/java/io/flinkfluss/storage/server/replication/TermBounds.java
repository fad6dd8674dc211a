package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps, for each group, a term on the disk beyond which this node has neither voted nor followed
 * anybody.
 *
 * <p>A node must know its term and vote when it starts again, or it might vote twice. Ratis 3.3.0
 * keeps them in a small file that it replaces at each election, also when the new content could not
 * be written: when the disk is full at that moment, an empty file takes the place of the good one,
 * and the node does not start again. With a bound it does: what it promised in terms up to the
 * bound it cannot break in terms after it. So nothing beyond the bound is taken from others before
 * the next bound is durable; bounds lie far ahead, so that this is rare, and a node that elects
 * itself advances by one term a time and does not get there between two calls. Any thread.
 */
final class TermBounds {
    private static final Logger LOG = LoggerFactory.getLogger(TermBounds.class);

    /** How far ahead a bound lies when it is made. */
    static final long AHEAD = 10_000;

    private static final int VERSION = 1;
    private static final long NONE = -1;

    private final Path folder;
    private final Map<UUID, Long> bounds = new ConcurrentHashMap<>();

    TermBounds(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes sure that a bound beyond the term is on the disk. Returns false when that cannot be
     * done, because the disk is full or broken, and the term is beyond the last one.
     */
    boolean covers(UUID group, long term) {
        Long bound = bounds.get(group);
        return bound != null && isFarBelow(term, bound) || extend(group, term);
    }

    private static boolean isFarBelow(long term, long bound) {
        return term <= bound - AHEAD / 2;
    }

    private synchronized boolean extend(UUID group, long term) {
        long bound = known(group);
        if (isFarBelow(term, bound)) {
            return true;
        }
        try {
            long next = Math.max(bound, term + AHEAD);
            Files.createDirectories(folder);
            Folders.replace(file(group), VERSION + " " + next + " " + checksum(next) + "\n");
            bounds.put(group, next);
            return true;
        } catch (IOException full) {
            LOG.warn(
                    "terms after {} of group {} cannot be reserved: {}; elections beyond it wait"
                            + " until the disk takes writes",
                    bound,
                    group,
                    full.toString());
            return term <= bound;
        }
    }

    private long known(UUID group) {
        return bounds.computeIfAbsent(group, id -> read(file(id)).orElse(NONE));
    }

    /**
     * Makes Ratis' file of term and vote anew if it is damaged: in the term after the bound, in
     * which nobody got this node's vote. Without a bound it is left alone, for Ratis to refuse.
     *
     * @param current the folder that Ratis keeps it in
     */
    void repair(UUID group, Path current) throws IOException {
        Path votes = current.resolve("raft-meta");
        if (!Files.exists(votes) || isWhole(votes)) {
            return;
        }
        long bound = known(group);
        if (bound == NONE) {
            return;
        }
        LOG.warn(
                "{} is damaged, as it is when the disk was full at an election; this node goes on"
                        + " after term {}, up to which it may have voted",
                votes,
                bound);
        Folders.replace(votes, "term=" + (bound + 1) + "\nvotedFor=\n");
    }

    private static boolean isWhole(Path votes) throws IOException {
        Properties known = new Properties();
        try (Reader reader = Files.newBufferedReader(votes)) {
            known.load(reader);
            return known.getProperty("votedFor") != null
                    && Long.parseLong(known.getProperty("term", "")) >= 0;
        } catch (IllegalArgumentException damaged) {
            return false;
        }
    }

    private Path file(UUID group) {
        return folder.resolve(group.toString());
    }

    private static Optional<Long> read(Path file) {
        try {
            String[] words = Files.readString(file, StandardCharsets.ISO_8859_1).strip().split(" ");
            if (words.length != 3 || !words[0].equals(Integer.toString(VERSION))) {
                return Optional.empty();
            }
            long bound = Long.parseLong(words[1]);
            return words[2].equals(checksum(bound)) ? Optional.of(bound) : Optional.empty();
        } catch (IOException | NumberFormatException unknown) {
            return Optional.empty();
        }
    }

    private static String checksum(long bound) {
        CRC32C crc = new CRC32C();
        crc.update(Long.toString(bound).getBytes(StandardCharsets.ISO_8859_1));
        return Long.toHexString(crc.getValue());
    }
}
