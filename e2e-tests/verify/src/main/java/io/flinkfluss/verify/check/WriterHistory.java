package io.flinkfluss.verify.check;

import java.util.BitSet;

/**
 * One writer's rows: sent, acknowledged, seen. A writer whose write ended without an answer is
 * replaced by a new one, so all rows of one writer keep their order. Any thread may use it.
 */
public final class WriterHistory {
    private final int id;
    private final String name;
    private final BitSet acknowledged = new BitSet();
    private final BitSet seen = new BitSet();
    private int sent;

    WriterHistory(int id, String name) {
        this.id = id;
        this.name = name;
    }

    public int id() {
        return id;
    }

    /** Takes the number of the next row; call it before the row is handed over. */
    public synchronized int send() {
        return sent++;
    }

    public synchronized void acknowledge(int sequence) {
        acknowledged.set(sequence);
    }

    /** Everything sent so far. */
    public synchronized void acknowledgeAll() {
        acknowledged.set(0, sent);
    }

    public synchronized long acknowledgedCount() {
        return acknowledged.cardinality();
    }

    /** What a committed row of this writer tells. */
    synchronized Sight see(int sequence) {
        if (sequence >= sent) {
            return Sight.NEVER_SENT;
        }
        if (seen.get(sequence)) {
            return Sight.AGAIN;
        }
        seen.set(sequence);
        return Sight.FIRST;
    }

    /** Reports what was acknowledged and never seen; call it when everything was read. */
    synchronized void reportLost(Findings findings) {
        BitSet lost = (BitSet) acknowledged.clone();
        lost.andNot(seen);
        if (!lost.isEmpty()) {
            findings.add(
                    Violation.LOST,
                    lost.cardinality(),
                    this
                            + ": acknowledged row "
                            + lost.nextSetBit(0)
                            + " is in no bucket; "
                            + lost.cardinality()
                            + " of "
                            + acknowledged.cardinality()
                            + " acknowledged rows are missing, the last is "
                            + (lost.length() - 1));
        }
    }

    @Override
    public String toString() {
        return "writer " + id + " (" + name + ")";
    }

    enum Sight {
        FIRST,
        AGAIN,
        NEVER_SENT
    }
}
