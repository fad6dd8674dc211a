package io.flinkfluss.verify.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a history of one register, which begins without a row, is linearizable: whether each
 * operation can have taken effect at one moment between its call and its return so that every read
 * gives the last value written.
 *
 * <p>The algorithm is that of Wing and Gong (<i>Testing and Verifying Concurrent Objects</i>, J.
 * Parallel and Distributed Computing 17, 1993) with the improvements of Lowe (<i>Testing for
 * Linearizability</i>, Concurrency and Computation: Practice and Experience 29(4), 2017): an
 * operation is linearized just in time, a return that was not linearized makes the search go back,
 * and configurations (the set of linearized operations and the register's value) that were seen
 * before are not searched again. Knossos and Porcupine use the same algorithm.
 *
 * <p>An operation without an answer returns after all others: a write may then take effect at any
 * time, or after everything, which nobody can tell from never.
 */
final class Linearizability {
    enum Verdict {
        LINEARIZABLE,
        NOT_LINEARIZABLE,
        /** The search was given up. */
        UNDECIDED
    }

    /** A call or a return in the list of those that are not linearized yet. */
    private static final class Event {
        final RegisterOperation operation;
        final int number;
        final long moment;
        final boolean isCall;
        Event match;
        Event previous;
        Event next;

        Event(RegisterOperation operation, int number, boolean isCall) {
            this.operation = operation;
            this.number = number;
            this.isCall = isCall;
            moment = isCall ? operation.invoked() : operation.returned();
        }
    }

    /** A linearized call and the value before it, to undo it. */
    private record Step(Event call, long valueBefore) {}

    private record Configuration(BitSet linearized, long value) {}

    private Linearizability() {}

    /**
     * @param mostSteps bound of the search; a history of a hundred operations with few at the same
     *     time needs hundreds
     */
    static Verdict check(List<RegisterOperation> history, long mostSteps) {
        Event head =
                new Event(new RegisterOperation(RegisterOperation.Kind.READ, 0, -1, -1), -1, true);
        link(head, events(history));
        BitSet linearized = new BitSet(history.size());
        Set<Configuration> known = new HashSet<>();
        List<Step> steps = new ArrayList<>();
        long value = 0;
        long work = 0;
        Event event = head.next;
        while (head.next != null) {
            if (++work > mostSteps) {
                return Verdict.UNDECIDED;
            }
            if (event.isCall) {
                boolean possible =
                        event.operation.kind() == RegisterOperation.Kind.WRITE
                                || event.operation.value() == value;
                if (possible) {
                    long after = event.operation.value();
                    linearized.set(event.number);
                    if (known.add(new Configuration((BitSet) linearized.clone(), after))) {
                        steps.add(new Step(event, value));
                        value = after;
                        unlink(event);
                        event = head.next;
                        continue;
                    }
                    linearized.clear(event.number);
                }
                event = event.next;
            } else {
                if (steps.isEmpty()) {
                    return Verdict.NOT_LINEARIZABLE;
                }
                Step last = steps.remove(steps.size() - 1);
                value = last.valueBefore;
                linearized.clear(last.call.number);
                relink(last.call);
                event = last.call.next;
            }
        }
        return Verdict.LINEARIZABLE;
    }

    /**
     * The operations up to the return that first makes the history impossible, for a person to look
     * at: those before it are linearizable.
     */
    static List<RegisterOperation> shortestWrong(List<RegisterOperation> history, long mostSteps) {
        List<Long> returns =
                history.stream()
                        .map(RegisterOperation::returned)
                        .filter(returned -> returned != RegisterOperation.NEVER)
                        .sorted()
                        .toList();
        int low = 0;
        int high = returns.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (check(until(history, returns.get(middle)), mostSteps) == Verdict.NOT_LINEARIZABLE) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return until(history, returns.get(low));
    }

    /**
     * What was known at a moment: later returns have not happened, reads on their way told nothing.
     */
    private static List<RegisterOperation> until(List<RegisterOperation> history, long moment) {
        return history.stream()
                .filter(operation -> operation.invoked() <= moment)
                .filter(
                        operation ->
                                operation.kind() == RegisterOperation.Kind.WRITE
                                        || operation.returned() <= moment)
                .map(
                        operation ->
                                operation.returned() <= moment
                                        ? operation
                                        : new RegisterOperation(
                                                operation.kind(),
                                                operation.value(),
                                                operation.invoked(),
                                                RegisterOperation.NEVER))
                .toList();
    }

    private static List<Event> events(List<RegisterOperation> history) {
        List<Event> events = new ArrayList<>(2 * history.size());
        for (int i = 0; i < history.size(); i++) {
            Event call = new Event(history.get(i), i, true);
            Event end = new Event(history.get(i), i, false);
            call.match = end;
            events.add(call);
            events.add(end);
        }
        // Of a call and a return at the same moment the call is first: they overlap.
        events.sort(
                Comparator.<Event>comparingLong(event -> event.moment)
                        .thenComparing(event -> event.isCall ? 0 : 1));
        return events;
    }

    private static void link(Event head, List<Event> events) {
        Event last = head;
        for (Event event : events) {
            last.next = event;
            event.previous = last;
            last = event;
        }
    }

    private static void unlink(Event call) {
        call.previous.next = call.next;
        if (call.next != null) {
            call.next.previous = call.previous;
        }
        Event end = call.match;
        end.previous.next = end.next;
        if (end.next != null) {
            end.next.previous = end.previous;
        }
    }

    private static void relink(Event call) {
        Event end = call.match;
        end.previous.next = end;
        if (end.next != null) {
            end.next.previous = end;
        }
        call.previous.next = call;
        if (call.next != null) {
            call.next.previous = call;
        }
    }
}
