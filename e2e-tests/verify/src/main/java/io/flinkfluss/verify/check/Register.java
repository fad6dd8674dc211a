package io.flinkfluss.verify.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The history of one key that several clients write and look up. After enough operations it takes
 * no more, so that its check stays small; another key takes its place. Any thread may use it.
 */
public final class Register {
    private static final int MOST_OPERATIONS = 400;
    private static final int MOST_UNANSWERED = 3;
    private static final long MOST_STEPS = 3_000_000;
    private static final int SHOWN = 12;

    private final int key;
    private final String name;
    private final AtomicLong moments;
    private final List<RegisterOperation> operations = new ArrayList<>();
    private int begun;
    private int inFlight;
    private int unanswered;

    /**
     * @param moments a counter shared by all registers; it orders what happens
     */
    public Register(int key, String name, AtomicLong moments) {
        this.key = key;
        this.name = name;
        this.moments = moments;
    }

    public int key() {
        return key;
    }

    /** Begins an operation; false when this register takes no more. */
    public synchronized boolean begin() {
        if (isFull()) {
            return false;
        }
        begun++;
        inFlight++;
        return true;
    }

    /** The moment of a call; take it after {@link #begin} and before sending. */
    public long invoke() {
        return moments.incrementAndGet();
    }

    /** A write was acknowledged. */
    public synchronized void wrote(long value, long invoked) {
        add(RegisterOperation.Kind.WRITE, value, invoked, moments.incrementAndGet());
    }

    /** A write ended without an answer: it may take effect at any time, or never. */
    public synchronized void mayHaveWritten(long value, long invoked) {
        unanswered++;
        add(RegisterOperation.Kind.WRITE, value, invoked, RegisterOperation.NEVER);
    }

    /** A lookup answered. */
    public synchronized void read(long value, long invoked) {
        add(RegisterOperation.Kind.READ, value, invoked, moments.incrementAndGet());
    }

    /** A lookup did not answer, which tells nothing. */
    public synchronized void readNothing() {
        inFlight--;
    }

    public synchronized boolean isFull() {
        return begun >= MOST_OPERATIONS || unanswered >= MOST_UNANSWERED;
    }

    /** Whether nothing can be added any more. */
    public synchronized boolean isComplete() {
        return isFull() && inFlight == 0;
    }

    /** Checks what happened so far and forgets it. Returns the number of operations. */
    public synchronized int check(Findings findings) {
        List<RegisterOperation> history = List.copyOf(operations);
        switch (Linearizability.check(history, MOST_STEPS)) {
            case LINEARIZABLE -> {}
            case NOT_LINEARIZABLE -> findings.add(Violation.STALE, describe(history));
            case UNDECIDED ->
                    findings.add(
                            Violation.UNCHECKED,
                            name
                                    + " key "
                                    + key
                                    + ": its history of "
                                    + history.size()
                                    + " operations is too tangled to check");
        }
        operations.clear();
        return history.size();
    }

    private void add(RegisterOperation.Kind kind, long value, long invoked, long returned) {
        operations.add(new RegisterOperation(kind, value, invoked, returned));
        inFlight--;
    }

    private String describe(List<RegisterOperation> history) {
        List<RegisterOperation> wrong = Linearizability.shortestWrong(history, MOST_STEPS);
        StringBuilder text =
                new StringBuilder(
                        name
                                + " key "
                                + key
                                + ": no order of these operations explains the last return (");
        text.append(wrong.size()).append(" of ").append(history.size()).append(" operations):");
        wrong.stream()
                .sorted(Comparator.comparingLong(RegisterOperation::returned))
                .skip(Math.max(0, wrong.size() - SHOWN))
                .forEach(operation -> text.append("\n      ").append(operation));
        return text.toString();
    }
}
