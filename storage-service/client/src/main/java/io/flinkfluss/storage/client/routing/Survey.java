package io.flinkfluss.storage.client.routing;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.storage.client.transport.NodeChannel.Repeat;
import io.flinkfluss.storage.client.transport.NodeChannels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.annotation.concurrent.GuardedBy;

/**
 * Asks nodes how they see the cluster, all at once and each at most once at a time, so that none
 * that sleeps holds up the others. It notices nodes that leave questions unanswered, and has their
 * connection opened anew: one may be dead without either side having heard of it. (A connection's
 * own pings cannot: gRPC sends them every 10 s at most.) Any thread may use it; never blocks.
 */
final class Survey {
    /** In multiples of the silence after which the others are asked. */
    private static final int UNTIL_SILENT = 2;

    private static final int UNTIL_RENEWED = 4;

    /** Hears each answer. */
    interface Listener {
        void answered(String address, ClusterView view);
    }

    private static final class Standing {
        boolean asked;
        long askedNanos;
        boolean unanswered;
        long unansweredNanos;
        long renewedNanos;
    }

    private final Object lock = new Object();
    private final NodeChannels channels;
    private final Duration silence;
    private final Listener listener;

    @GuardedBy("lock")
    private final Map<String, Standing> standings = new HashMap<>();

    /**
     * @param silence how long an answer may normally take
     */
    Survey(NodeChannels channels, Duration silence, Listener listener) {
        this.channels = channels;
        this.silence = silence;
        this.listener = listener;
    }

    /** Asks those nodes that have no question open. */
    void ask(List<String> addresses) {
        askIfOlder(addresses, 0);
    }

    /** Asks those nodes that were not asked within the silence. */
    void askSometimes(List<String> addresses) {
        askIfOlder(addresses, silence.toNanos());
    }

    private void askIfOlder(List<String> addresses, long ageNanos) {
        long now = System.nanoTime();
        List<String> asking = new ArrayList<>(addresses.size());
        synchronized (lock) {
            for (String address : addresses) {
                Standing standing = standings.computeIfAbsent(address, any -> new Standing());
                boolean first = standing.askedNanos == 0;
                if (!standing.asked && (first || now - standing.askedNanos >= ageNanos)) {
                    standing.asked = true;
                    standing.askedNanos = now;
                    asking.add(address);
                }
            }
        }
        for (String address : asking) {
            var unused =
                    question(address, silence.multipliedBy(UNTIL_SILENT))
                            .whenComplete((view, error) -> settled(address, error));
        }
    }

    /** Whether the node left questions unanswered for a while. */
    boolean isSilent(String address) {
        long now = System.nanoTime();
        synchronized (lock) {
            Standing standing = standings.get(address);
            return standing != null
                    && ((standing.asked && isOld(standing.askedNanos, now))
                            || (standing.unanswered && isOld(standing.unansweredNanos, now)));
        }
    }

    private boolean isOld(long sinceNanos, long now) {
        return now - sinceNanos >= inSilences(UNTIL_SILENT);
    }

    /** One question, whatever else is open; the listener hears the answer before the caller. */
    CompletableFuture<ClusterView> question(String address, Duration timeout) {
        ClusterOperation.DescribeCluster operation = new ClusterOperation.DescribeCluster();
        try {
            NodeChannel node = channels.to(address);
            node.reconnectNow();
            return node.ask(operation.toAction(), timeout, Repeat.ALLOWED)
                    .future()
                    .thenApply(operation::decodeAnswer)
                    .thenApply(
                            view -> {
                                listener.answered(address, view);
                                return view;
                            });
        } catch (StorageException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void settled(String address, Throwable error) {
        boolean late = hasCode(error, ErrorCode.TIMEOUT);
        boolean answered = !late && !hasCode(error, ErrorCode.UNREACHABLE);
        boolean renew = false;
        synchronized (lock) {
            long now = System.nanoTime();
            Standing standing = standings.get(address);
            standing.asked = false;
            if (answered) {
                standing.unanswered = false;
            } else if (!standing.unanswered) {
                standing.unanswered = true;
                standing.unansweredNanos = standing.askedNanos;
            } else if (late
                    && now - Math.max(standing.unansweredNanos, standing.renewedNanos)
                            >= inSilences(UNTIL_RENEWED)) {
                renew = true;
                standing.renewedNanos = now;
            }
        }
        if (renew) {
            channels.renew(address);
        }
    }

    private static boolean hasCode(Throwable error, ErrorCode code) {
        Throwable cause = error != null && error.getCause() != null ? error.getCause() : error;
        return cause instanceof StorageException known && known.code() == code;
    }

    private long inSilences(int count) {
        return silence.toNanos() * count;
    }
}
