package io.flinkfluss.storage.client.transport;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** What goes wrong with the messages of one kind, counted from the last change. Any thread. */
final class FaultScript {
    private final AtomicInteger count = new AtomicInteger();
    private volatile IntFunction<Fault> faults = number -> Fault.NONE;

    /** The fault of the n-th message from now on, counted from 0. */
    void follow(IntFunction<Fault> newFaults) {
        count.set(0);
        faults = newFaults;
    }

    Fault next() {
        return faults.apply(count.getAndIncrement());
    }

    int count() {
        return count.get();
    }
}
