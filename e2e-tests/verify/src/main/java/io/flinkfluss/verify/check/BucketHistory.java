package io.flinkfluss.verify.check;

import java.util.HashMap;
import java.util.Map;

/**
 * What is known of one bucket's log: which row was seen at which offset, by whichever reader saw it
 * first, for ever. Every further read of that offset, by any reader and from any replica, has to
 * agree. As soon as all offsets up to one are known, their rows are checked in order: each once,
 * each writer's in its order, a changelog consistent with the rows before it. Any thread may use
 * it.
 */
public final class BucketHistory {
    private final String name;
    private final Writers writers;
    private final Findings findings;
    private final PackedRows rows = new PackedRows();
    private final PackedRows promised = new PackedRows();
    private final Map<Integer, Integer> lastSequences = new HashMap<>();
    private final ChangelogFold fold;
    private long checked;
    private long end;

    private BucketHistory(String name, Writers writers, Findings findings, ChangelogFold fold) {
        this.name = name;
        this.writers = writers;
        this.findings = findings;
        this.fold = fold;
    }

    public static BucketHistory ofLog(String name, Writers writers, Findings findings) {
        return new BucketHistory(name, writers, findings, null);
    }

    public static BucketHistory ofChangelog(String name, Writers writers, Findings findings) {
        return new BucketHistory(name, writers, findings, new ChangelogFold());
    }

    public String name() {
        return name;
    }

    /** A reader saw this row at this offset. */
    public synchronized void seen(long offset, long packedRow, String reader) {
        long known = rows.get(offset);
        if (known != 0) {
            if (known != packedRow) {
                disagree(offset, known, packedRow, reader);
            }
            return;
        }
        long promise = promised.get(offset);
        if (promise != 0 && promise != packedRow) {
            findings.add(
                    Violation.DIVERGED,
                    at(offset)
                            + reader
                            + " found "
                            + Row.unpack(packedRow)
                            + ", but the acknowledgement of "
                            + Row.unpack(promise)
                            + " named this offset");
        }
        rows.set(offset, packedRow);
        end = Math.max(end, offset + 1);
        advance();
    }

    /** An acknowledgement named the offset of this row. */
    public synchronized void promised(long offset, long packedRow) {
        long known = rows.get(offset);
        if (known != 0 && known != packedRow) {
            disagree(offset, known, packedRow, "an acknowledgement");
        }
        promised.set(offset, packedRow);
    }

    /** A reader got rows that do not follow each other. */
    public void gap(long expected, long got, String reader) {
        findings.add(
                Violation.GAP, at(expected) + reader + " got offset " + got + " as the next one");
    }

    /** A reader found something at this offset that no writer writes. */
    public void damaged(long offset, String what, String reader) {
        findings.add(Violation.INVENTED, at(offset) + reader + " found " + what);
    }

    /** One more than the largest offset that any reader saw. */
    public synchronized long end() {
        return end;
    }

    /** Up to where every offset is known and checked. */
    public synchronized long checkedEnd() {
        return checked;
    }

    /** A replica ends here, after writing has ended: nothing that was seen may be missing. */
    public synchronized void finalEnd(long replicaEnd, String replica) {
        if (replicaEnd < end) {
            findings.add(
                    Violation.LOST,
                    end - replicaEnd,
                    name
                            + ": "
                            + replica
                            + " ends at offset "
                            + replicaEnd
                            + ", but rows up to "
                            + end
                            + " were seen before; the first missing one is "
                            + describe(rows.get(replicaEnd)));
        }
    }

    /**
     * The state that the changelog before this offset leaves: value by key.
     *
     * @throws IllegalStateException when not everything before the offset is known yet
     */
    public synchronized Map<Integer, Long> stateAt(long offset) {
        if (offset > checked) {
            throw new IllegalStateException(
                    name + " is known up to " + checked + " only, not to " + offset);
        }
        Map<Integer, Long> state = new HashMap<>();
        for (long i = 0; i < offset; i++) {
            ChangelogFold.apply(state, Row.unpack(rows.get(i)));
        }
        return state;
    }

    private void advance() {
        for (long packed = rows.get(checked); packed != 0; packed = rows.get(checked)) {
            check(checked, Row.unpack(packed));
            checked++;
        }
    }

    private void check(long offset, Row row) {
        if (fold != null) {
            fold.check(row)
                    .ifPresent(wrong -> findings.add(Violation.CHANGELOG, at(offset) + wrong));
            if (!ChangelogFold.isNewRow(row)) {
                return;
            }
        }
        WriterHistory writer = writers.find(row.writer());
        WriterHistory.Sight sight =
                writer == null ? WriterHistory.Sight.NEVER_SENT : writer.see(row.sequence());
        switch (sight) {
            case NEVER_SENT ->
                    findings.add(Violation.INVENTED, at(offset) + row + ", which was never sent");
            case AGAIN ->
                    findings.add(
                            Violation.DUPLICATED,
                            at(offset) + row + " of " + writer + " was seen at another offset too");
            case FIRST -> {
                Integer last = lastSequences.put(row.writer(), row.sequence());
                if (last != null && last > row.sequence()) {
                    findings.add(
                            Violation.REORDERED,
                            at(offset) + row + " of " + writer + " comes after its row " + last);
                }
            }
        }
    }

    private void disagree(long offset, long known, long other, String reader) {
        findings.add(
                Violation.DIVERGED,
                at(offset)
                        + reader
                        + " found "
                        + describe(other)
                        + ", but an earlier read found "
                        + describe(known));
    }

    private String at(long offset) {
        return name + " offset " + offset + ": ";
    }

    private static String describe(long packed) {
        return packed == 0 ? "nothing" : Row.unpack(packed).toString();
    }
}
