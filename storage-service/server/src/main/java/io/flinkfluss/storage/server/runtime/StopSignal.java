package io.flinkfluss.storage.server.runtime;

import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;

/**
 * Waits for SIGTERM or SIGINT. Unlike a shutdown hook it leaves the exit code to the waiting
 * thread.
 */
public final class StopSignal {
    private final CountDownLatch stop = new CountDownLatch(1);

    /** From now on the two signals only end {@link #await}. */
    public static StopSignal install() {
        StopSignal signal = new StopSignal();
        Signal.handle(new Signal("TERM"), ignored -> signal.stop.countDown());
        Signal.handle(new Signal("INT"), ignored -> signal.stop.countDown());
        return signal;
    }

    public void await() throws InterruptedException {
        stop.await();
    }
}
