package io.flinkfluss.verify.network;

import java.time.Duration;

/** One direction between two parties. Any thread may use it. */
final class Way {
    private boolean cut;
    private long delayMillis;

    synchronized void cut() {
        cut = true;
    }

    synchronized void delay(Duration delay) {
        delayMillis = delay.toMillis();
    }

    synchronized void heal() {
        cut = false;
        delayMillis = 0;
        notifyAll();
    }

    /** Returns when bytes that arrived now may go on. */
    synchronized void pass() throws InterruptedException {
        long until = System.nanoTime() + delayMillis * 1_000_000;
        while (cut) {
            wait();
        }
        for (long left = until - System.nanoTime();
                left > 0 && delayMillis > 0;
                left = until - System.nanoTime()) {
            wait(left / 1_000_000 + 1);
        }
        while (cut) {
            wait();
        }
    }
}
