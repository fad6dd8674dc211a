package io.flinkfluss.storage.server.transport;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of requests that this node has taken in and not answered yet. While there is no room,
 * streams do not read from their connections, so senders are held back by the transport's own flow
 * control. Any thread.
 */
final class InFlightBudget {
    private final long limit;
    private final AtomicLong used = new AtomicLong();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    InFlightBudget(long limit) {
        this.limit = limit;
    }

    /** Whether another message may be taken in; if not, the listener is called once there may. */
    boolean hasRoom(Runnable whenThereIs) {
        if (used.get() < limit) {
            return true;
        }
        waiting.add(whenThereIs);
        // Room may have come before the listener was there to hear of it.
        return used.get() < limit && waiting.remove(whenThereIs);
    }

    void take(long bytes) {
        used.addAndGet(bytes);
    }

    void giveBack(long bytes) {
        if (used.addAndGet(-bytes) < limit) {
            // Only those that wait now: a listener may come back at once.
            for (int left = waiting.size(); left > 0; left--) {
                Runnable next = waiting.poll();
                if (next == null) {
                    return;
                }
                next.run();
            }
        }
    }

    long used() {
        return used.get();
    }
}
