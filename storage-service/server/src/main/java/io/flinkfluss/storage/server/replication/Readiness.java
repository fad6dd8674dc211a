package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until this node can serve: every group has a leader that is known here, and has applied
 * here what was committed when it was asked. Used by one thread; {@link #look} by any.
 */
final class Readiness {
    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
    private static final long LOOK_MILLIS = 100;
    private static final Duration REPORT = Duration.ofSeconds(5);

    private final Collection<ReplicatedGroup> groups;
    private final PeerLinks links;
    private final ServerClock clock;
    private final Map<String, CompletableFuture<Void>> barriers = new TreeMap<>();

    /** Guards {@code looked}. */
    private final Object lock = new Object();

    private boolean looked;

    Readiness(Collection<ReplicatedGroup> groups, PeerLinks links, ServerClock clock) {
        this.groups = groups;
        this.links = links;
        this.clock = clock;
    }

    /** Something may have changed. */
    void look() {
        synchronized (lock) {
            looked = true;
            lock.notifyAll();
        }
    }

    /**
     * @param whileWaiting called every few seconds; what it throws ends the waiting
     * @throws StorageException NOT_READY after the deadline, naming the groups and peers
     */
    void await(Duration deadline, Runnable whileWaiting) throws InterruptedException {
        long begin = clock.nanos();
        long nextReport = begin + REPORT.toNanos();
        long nextTry = begin;
        while (true) {
            List<String> missing = missing();
            if (missing.isEmpty()) {
                return;
            }
            groups.forEach(Readiness::requireMember);
            long now = clock.nanos();
            if (now - nextTry >= 0) {
                nextTry = now + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
                links.step();
            }
            if (now - begin > deadline.toNanos()) {
                throw new StorageException(
                        ErrorCode.NOT_READY,
                        describe(missing)
                                + " after "
                                + deadline.toSeconds()
                                + " s; start the missing peers, or look at their logs");
            }
            if (now > nextReport) {
                nextReport = now + REPORT.toNanos();
                LOG.info("not ready yet: {}", describe(missing));
                whileWaiting.run();
            }
            synchronized (lock) {
                if (!looked) {
                    TimeUnit.MILLISECONDS.timedWait(lock, LOOK_MILLIS);
                }
                looked = false;
            }
        }
    }

    private static void requireMember(ReplicatedGroup group) {
        if (group.isClosed()) {
            throw GroupErrors.removed("group " + group.name() + " says so");
        }
    }

    private List<String> missing() {
        return groups.stream().filter(group -> !isReady(group)).map(ReplicatedGroup::name).toList();
    }

    private boolean isReady(ReplicatedGroup group) {
        if (group.isLeader()) {
            return true;
        }
        CompletableFuture<Void> barrier = barriers.get(group.name());
        if (barrier != null && barrier.isDone() && !barrier.isCompletedExceptionally()) {
            return true;
        }
        if ((barrier == null || barrier.isDone()) && group.leader().isPresent()) {
            CompletableFuture<Void> asked = group.barrier();
            barriers.put(group.name(), asked);
            // One that fails is asked again after a pause: looking at once would never end.
            var unused = asked.thenRun(this::look);
        }
        return false;
    }

    private String describe(List<String> missing) {
        List<String> silent = links.silent();
        return "groups "
                + missing
                + " have no leader, or are not caught up with it"
                + (silent.isEmpty()
                        ? "; all peers answer"
                        : "; these peers do not answer: " + silent);
    }
}
