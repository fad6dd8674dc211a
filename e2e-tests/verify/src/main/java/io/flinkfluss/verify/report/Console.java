package io.flinkfluss.verify.report;

import java.io.PrintStream;

/** Lines for the person who watches; a line of progress that is written over on a terminal. */
public final class Console {
    private final PrintStream out;
    private final boolean terminal;
    private boolean progressShown;

    /**
     * @param terminal whether lines can be written over
     */
    public Console(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    public synchronized void line(String text) {
        if (progressShown) {
            out.print("\r\033[K");
            progressShown = false;
        }
        out.println(text);
        out.flush();
    }

    /** What is going on right now; shown only on a terminal. */
    public synchronized void progress(String text) {
        if (terminal) {
            out.print("\r\033[K" + text);
            out.flush();
            progressShown = true;
        }
    }
}
