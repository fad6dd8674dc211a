package io.flinkfluss.storage.server.runtime;

import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;

/**
 * Waits for SIGTERM or SIGINT. Unlike a shutdown hook it leaves the exit code to the waiting
 * thread. A signal that comes before {@link #await} interrupts the thread that installed it: a node
 * that waits for its peers can be stopped, too.
 */
public final class StopSignal {
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread starting = Thread.currentThread();
    private volatile boolean isAwaited;

    private StopSignal() {}

    /** From now on the two signals do nothing else; called by the thread that awaits them. */
    public static StopSignal install() {
        StopSignal signal = new StopSignal();
        Signal.handle(new Signal("TERM"), ignored -> signal.received());
        Signal.handle(new Signal("INT"), ignored -> signal.received());
        return signal;
    }

    private void received() {
        stop.countDown();
        if (!isAwaited) {
            starting.interrupt();
        }
    }

    public void await() throws InterruptedException {
        isAwaited = true;
        try {
            stop.await();
        } catch (InterruptedException interrupted) {
            // The signal may have come between the end of starting and this call.
            if (stop.getCount() > 0) {
                throw interrupted;
            }
        }
    }
}
