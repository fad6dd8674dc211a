package io.flinkfluss.verify.load;

import io.flinkfluss.verify.check.Findings;
import io.flinkfluss.verify.check.Register;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The keys that several clients share at the moment. A key whose history is long enough is checked
 * and replaced, so memory does not grow. Any thread may use it.
 */
final class Registers {
    private static final int ACTIVE = 10;

    private final String table;
    private final Findings findings;
    private final AtomicLong moments = new AtomicLong();
    private final List<Register> active = new ArrayList<>();
    private final List<Register> ending = new ArrayList<>();
    private int nextKey;
    private long checkedOperations;

    Registers(String table, Findings findings) {
        this.table = table;
        this.findings = findings;
    }

    /** A key to work on; {@link Register#begin} was called. */
    synchronized Register choose(Random random) {
        while (active.size() < ACTIVE) {
            active.add(new Register(nextKey++, table, moments));
        }
        int index = random.nextInt(ACTIVE);
        Register chosen = active.get(index);
        while (!chosen.begin()) {
            ending.add(chosen);
            chosen = new Register(nextKey++, table, moments);
            active.set(index, chosen);
        }
        return chosen;
    }

    /** Checks the histories that are complete; call it now and then. */
    void checkComplete() {
        List<Register> complete;
        synchronized (this) {
            complete = ending.stream().filter(Register::isComplete).toList();
            ending.removeAll(complete);
        }
        check(complete);
    }

    /** Checks everything; all clients have ended. */
    void checkAll() {
        List<Register> all;
        synchronized (this) {
            all = new ArrayList<>(ending);
            all.addAll(active);
            ending.clear();
            active.clear();
        }
        check(all);
    }

    synchronized long checkedOperations() {
        return checkedOperations;
    }

    private void check(List<Register> registers) {
        for (Register register : registers) {
            int operations = register.check(findings);
            synchronized (this) {
                checkedOperations += operations;
            }
        }
    }
}
