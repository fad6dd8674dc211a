package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.server.runtime.DelayedTasks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a leader look whether a majority answers it, as soon as none did for one and a half election
 * timeouts. Ratis 3.3.0 looks only when nothing else happened for that long: a leader that becomes
 * deaf looks a moment too early, and then only after the same time again. Until then it holds its
 * followers with heartbeats, which they hear. Any thread.
 */
final class UnheardLeaders implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UnheardLeaders.class);

    private final Duration longestSilence;
    private final DelayedTasks looks = new DelayedTasks("fluss-unheard-leaders");
    private final Set<RaftGroupId> looking = ConcurrentHashMap.newKeySet();

    /** Whether it was logged that Ratis cannot be asked; five times a second would be too often. */
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param longestSilence after which Ratis has a leader step down that no majority answers
     */
    UnheardLeaders(Duration longestSilence) {
        this.longestSilence = longestSilence;
    }

    /** Never blocks: Ratis' lock, which the look needs, may be held while a disk is slow. */
    void step(RaftServer.Division division) {
        RaftGroupId group = division.getMemberId().getGroupId();
        if (isUnheard(Followers.of(division)) && looking.add(group)) {
            looks.after(
                    Duration.ZERO,
                    () -> {
                        try {
                            look(division);
                        } finally {
                            looking.remove(group);
                        }
                    });
        }
    }

    /**
     * Whether too few followers for a majority were heard lately; not without followers. While
     * members change this is a guess; Ratis knows, and decides.
     */
    boolean isUnheard(Followers all) {
        int members = all.followers().size() + 1;
        long heard =
                all.followers().stream()
                        .filter(each -> each.silentMillis() <= longestSilence.toMillis())
                        .count();
        return members > 1 && 2 * (heard + 1) <= members;
    }

    /**
     * Has Ratis look now. Whether the member still leads; empty when it did not, or when this
     * version of Ratis cannot be asked.
     */
    Optional<Boolean> look(RaftServer.Division division) {
        try {
            // As Ratis does it, with its lock held. None of it is public.
            synchronized (division) {
                Object role = call(division, "getRole");
                Optional<?> leader = (Optional<?>) call(role, "getLeaderState");
                if (leader.isEmpty()) {
                    return Optional.empty();
                }
                return Optional.of((Boolean) call(leader.get(), "checkLeadership"));
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
            if (warned.compareAndSet(false, true)) {
                LOG.warn(
                        "{} could not look whether it is heard; Ratis will later",
                        division.getMemberId(),
                        cause);
            }
            return Optional.empty();
        }
    }

    private static Object call(Object target, String name) throws ReflectiveOperationException {
        Method method = target.getClass().getDeclaredMethod(name);
        method.setAccessible(true);
        return method.invoke(target);
    }

    @Override
    public void close() {
        looks.close();
    }
}
