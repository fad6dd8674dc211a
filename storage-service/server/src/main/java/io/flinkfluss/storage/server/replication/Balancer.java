package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.server.runtime.ServerClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps leaders spread evenly, and hands all over when this node drains or stops. {@link #step} is
 * called about once a second: one leadership moves at a time, only when the same was wanted for
 * several looks, and only to a node that was heard for a while and has almost all entries. May be
 * used by any thread.
 */
final class Balancer {
    private static final Logger LOG = LoggerFactory.getLogger(Balancer.class);

    /** Looks that must agree: the leaders of a cluster that just lost a node are not final. */
    private static final int AGREEING_LOOKS = 3;

    /** Looks for which a node that came back must have been heard. */
    private static final int SETTLED_LOOKS = 5;

    /** A follower that lacks more entries would keep writers waiting while it takes over. */
    private static final long MOST_BEHIND = 100;

    private static final Duration TRANSFER = Duration.ofSeconds(3);

    private final String self;
    private final Collection<ReplicatedGroup> groups;
    private final Supplier<Set<String>> draining;
    private final ServerClock clock;

    /** Guards the fields below; {@link #leave} holds it while it waits. */
    private final Object lock = new Object();

    private final Map<String, Integer> looksHeard = new HashMap<>();
    private Optional<LeaderBalance.Move> wanted = Optional.empty();
    private int agreeing;
    private CompletableFuture<Void> moving = CompletableFuture.completedFuture(null);

    /**
     * @param draining nodes that shall lead nothing
     */
    Balancer(
            String self,
            Collection<ReplicatedGroup> groups,
            Supplier<Set<String>> draining,
            ServerClock clock) {
        this.self = self;
        this.groups = groups;
        this.draining = draining;
        this.clock = clock;
    }

    /** Looks once, and begins to hand a leadership over if it is time. */
    void step() {
        List<Followers.Follower> followers = followers();
        Set<String> leaving = draining.get();
        boolean leaves = leaving.contains(self);
        synchronized (lock) {
            for (Followers.Follower follower : followers) {
                int looks = looksHeard.getOrDefault(follower.id(), 0);
                looksHeard.put(follower.id(), follower.isSilent() ? 0 : looks + 1);
            }
            if (!moving.isDone()) {
                return;
            }
            Optional<LeaderBalance.Move> next =
                    leaves || everyGroupHasALeader()
                            ? next(leaving, heardFor(leaves ? 0 : SETTLED_LOOKS))
                            : Optional.empty();
            agreeing = next.isPresent() && next.equals(wanted) ? agreeing + 1 : 1;
            wanted = next;
            if (next.isPresent() && (leaves || agreeing >= AGREEING_LOOKS)) {
                wanted = Optional.empty();
                moving = move(next.get(), leaves ? "this node drains" : "it leads fewer");
            }
        }
    }

    /**
     * Hands over what this node leads, to whoever can take it; for a node that stops or can take no
     * writes. Returns whether it leads nothing any more.
     *
     * @param unfit nodes that get nothing
     */
    boolean leave(Duration deadline, Set<String> unfit) throws InterruptedException {
        long end = clock.nanos() + deadline.toNanos();
        Set<String> leaving = new HashSet<>(unfit);
        leaving.add(self);
        synchronized (lock) {
            while (groups.stream().anyMatch(ReplicatedGroup::isLeader)) {
                Optional<LeaderBalance.Move> next = next(leaving, heardFor(0));
                long left = end - clock.nanos();
                if (next.isEmpty() || left <= 0) {
                    return false;
                }
                try {
                    move(next.get(), "this node stops or is full").get(left, TimeUnit.NANOSECONDS);
                } catch (ExecutionException | TimeoutException failed) {
                    return false;
                }
            }
            return true;
        }
    }

    private Optional<LeaderBalance.Move> next(Set<String> leaving, List<String> candidates) {
        Map<String, String> leaders = new TreeMap<>();
        groups.forEach(
                group -> group.leader().ifPresent(leader -> leaders.put(group.name(), leader)));
        return LeaderBalance.next(self, leaders, leaving, candidates);
    }

    /** Nodes that can take over and were heard in so many looks. */
    private List<String> heardFor(int looks) {
        synchronized (lock) {
            return followers().stream()
                    .filter(follower -> looksHeard.getOrDefault(follower.id(), 0) >= looks)
                    .filter(follower -> !follower.isSilent())
                    .filter(follower -> follower.behind() <= MOST_BEHIND)
                    .filter(follower -> isMemberOfAll(follower.id()))
                    .map(Followers.Follower::id)
                    .toList();
        }
    }

    /** A node that is being added or removed is a member of some groups only. */
    private boolean isMemberOfAll(String node) {
        return groups.stream().allMatch(group -> Members.has(group.division(), node));
    }

    private boolean everyGroupHasALeader() {
        return groups.stream().allMatch(group -> group.leader().isPresent());
    }

    /** Of each node its worst state among the groups that are led here. */
    private List<Followers.Follower> followers() {
        Map<String, Followers.Follower> worst = new TreeMap<>();
        for (ReplicatedGroup group : groups) {
            Followers.of(group.division())
                    .followers()
                    .forEach(follower -> worst.merge(follower.id(), follower, Followers::worseOf));
        }
        return List.copyOf(worst.values());
    }

    private CompletableFuture<Void> move(LeaderBalance.Move move, String why) {
        LOG.info("handing group {} over to node {}: {}", move.group(), move.target(), why);
        ReplicatedGroup group =
                groups.stream()
                        .filter(each -> each.name().equals(move.group()))
                        .findFirst()
                        .orElseThrow();
        return group.transfer(move.target(), TRANSFER)
                .whenComplete(
                        (done, failure) -> {
                            if (failure != null) {
                                LOG.info(
                                        "group {} was not handed over to node {}: {}",
                                        move.group(),
                                        move.target(),
                                        failure.getMessage());
                            }
                        });
    }
}
