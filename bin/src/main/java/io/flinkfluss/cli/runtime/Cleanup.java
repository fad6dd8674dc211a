package io.flinkfluss.cli.runtime;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What must be undone when the command ends, in whatever way: normally, by a failure, or by Ctrl-C.
 * Runs once, newest action first.
 */
public final class Cleanup implements AutoCloseable {
    private final Deque<Runnable> actions = new ArrayDeque<>();
    private final Thread hook = new Thread(this::run, "cleanup");

    public Cleanup() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public synchronized void add(Runnable action) {
        actions.push(action);
    }

    /** Leaves everything as it is. */
    public synchronized void forget() {
        actions.clear();
    }

    @Override
    public void close() {
        run();
    }

    private synchronized void run() {
        CliException first = null;
        while (!actions.isEmpty()) {
            try {
                actions.pop().run();
            } catch (CliException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
