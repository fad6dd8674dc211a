package io.flinkfluss.verify.check;

import static io.flinkfluss.verify.check.RegisterOperation.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.verify.check.Linearizability.Verdict;
import io.flinkfluss.verify.check.RegisterOperation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Known histories, and random ones against an oracle that tries every order. */
final class LinearizabilityTest {
    private static final long STEPS = 1_000_000;

    @Test
    void readsOfTheLastWriteAreFine() {
        assertFine(write(1, 1, 2), read(1, 3, 4), write(2, 5, 6), read(2, 7, 8));
    }

    @Test
    void aReadOfAnOlderWriteIsWrong() {
        assertWrong(write(1, 1, 2), write(2, 3, 4), read(1, 5, 6));
    }

    @Test
    void aReadBeforeTheWriteIsWrong() {
        assertWrong(read(1, 1, 2), write(1, 3, 4));
    }

    @Test
    void anEmptyRegisterHasNoRow() {
        assertFine(read(0, 1, 2));
        assertWrong(write(1, 1, 2), read(0, 3, 4));
    }

    @Test
    void concurrentWritesMayTakeEffectInAnyOrder() {
        assertFine(write(1, 1, 10), write(2, 2, 9), read(2, 11, 12));
        assertFine(write(1, 1, 10), write(2, 2, 9), read(1, 11, 12));
    }

    @Test
    void readersAgreeOnTheOrderOfConcurrentWrites() {
        assertWrong(write(1, 1, 10), write(2, 2, 9), read(1, 11, 12), read(2, 13, 14));
    }

    @Test
    void aReadMaySeeAWriteThatIsOnItsWay() {
        assertFine(write(1, 1, 10), read(0, 2, 3), read(1, 4, 5));
    }

    @Test
    void onceSeenAWriteOnItsWayStays() {
        assertWrong(write(1, 1, 10), read(1, 2, 3), read(0, 4, 5));
    }

    @Test
    void aWriteWithoutAnswerMayTakeEffectLateOrNever() {
        assertFine(write(1, 1, 2), write(2, 3, NEVER), read(1, 4, 5), read(2, 6, 7));
        assertFine(write(1, 1, 2), write(2, 3, NEVER), read(1, 4, 5));
    }

    @Test
    void aWriteWithoutAnswerTakesEffectOnlyOnce() {
        assertWrong(
                write(1, 1, NEVER), read(1, 2, 3), write(2, 4, 5), read(2, 6, 7), read(1, 8, 9));
    }

    /** The search has to undo its first choice: the long write is last although it began first. */
    @Test
    void theSearchGoesBack() {
        assertFine(
                write(1, 1, 20),
                write(2, 2, 5),
                write(3, 3, 6),
                read(3, 7, 8),
                write(2, 9, 10),
                read(2, 11, 12),
                read(1, 13, 14));
    }

    @Test
    void aDeleteIsAWriteOfNoRow() {
        assertFine(write(1, 1, 2), write(0, 3, 4), read(0, 5, 6));
        assertWrong(write(1, 1, 2), write(0, 3, 4), read(1, 5, 6));
    }

    @Test
    void theShortestWrongPartEndsAtTheReadThatIsWrong() {
        List<RegisterOperation> history =
                List.of(
                        write(1, 1, 2),
                        write(2, 3, 4),
                        read(1, 5, 6),
                        write(3, 7, 8),
                        read(3, 9, 10));

        List<RegisterOperation> wrong = Linearizability.shortestWrong(history, STEPS);

        assertThat(wrong).containsExactly(history.get(0), history.get(1), history.get(2));
    }

    @Test
    void aSearchThatIsTooLongIsNotAVerdict() {
        List<RegisterOperation> tangled = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            tangled.add(write(i, i, 1000 + i));
        }
        tangled.add(read(99, 2000, 2001));

        assertThat(Linearizability.check(tangled, 10_000)).isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void hundredsOfOperationsOfFourClientsAreDecided() {
        for (int seed = 0; seed < 20; seed++) {
            List<RegisterOperation> history = simulate(new Random(seed), 4, 400);
            assertThat(Linearizability.check(history, STEPS))
                    .as("seed %s", seed)
                    .isEqualTo(Verdict.LINEARIZABLE);
        }
    }

    @Test
    void agreesWithAnOracleThatTriesEveryOrder() {
        int wrong = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            List<RegisterOperation> history = arbitrary(new Random(seed));
            boolean expected = tryEveryOrder(history, new boolean[history.size()], 0);
            assertThat(Linearizability.check(history, STEPS))
                    .as("seed %s: %s", seed, history)
                    .isEqualTo(expected ? Verdict.LINEARIZABLE : Verdict.NOT_LINEARIZABLE);
            wrong += expected ? 0 : 1;
        }
        assertThat(wrong).as("both kinds occur").isBetween(2_000, 18_000);
    }

    /** Few values and short overlaps, so that about half of the histories are wrong. */
    private static List<RegisterOperation> arbitrary(Random random) {
        List<RegisterOperation> history = new ArrayList<>();
        int count = 2 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            long invoked = random.nextInt(12);
            long returned = random.nextInt(8) == 0 ? NEVER : invoked + 1 + random.nextInt(6);
            boolean write = random.nextBoolean() || returned == NEVER;
            history.add(
                    new RegisterOperation(
                            write ? Kind.WRITE : Kind.READ, random.nextInt(3), invoked, returned));
        }
        return history;
    }

    /** Clients of a correct register; each operation takes effect at a random moment within. */
    private static List<RegisterOperation> simulate(Random random, int clients, int operations) {
        List<RegisterOperation> history = new ArrayList<>();
        long[] invoked = new long[clients];
        long[] value = new long[clients];
        Kind[] kind = new Kind[clients];
        boolean[] done = new boolean[clients];
        long register = 0;
        long moment = 0;
        while (history.size() < operations) {
            int client = random.nextInt(clients);
            moment++;
            if (kind[client] == null) {
                kind[client] = random.nextBoolean() ? Kind.WRITE : Kind.READ;
                value[client] = kind[client] == Kind.WRITE ? moment : -1;
                invoked[client] = moment;
                done[client] = false;
            } else if (!done[client]) {
                if (kind[client] == Kind.WRITE) {
                    register = value[client];
                } else {
                    value[client] = register;
                }
                done[client] = true;
            } else {
                history.add(
                        new RegisterOperation(
                                kind[client], value[client], invoked[client], moment));
                kind[client] = null;
            }
        }
        // What is on its way took effect or not: both are possible.
        for (int client = 0; client < clients; client++) {
            if (kind[client] == Kind.WRITE) {
                history.add(
                        new RegisterOperation(Kind.WRITE, value[client], invoked[client], NEVER));
            }
        }
        return history;
    }

    private static boolean tryEveryOrder(
            List<RegisterOperation> history, boolean[] taken, long value) {
        long firstReturn = NEVER;
        boolean anyLeft = false;
        for (int i = 0; i < taken.length; i++) {
            if (!taken[i]) {
                anyLeft |= history.get(i).returned() != NEVER;
                firstReturn = Math.min(firstReturn, history.get(i).returned());
            }
        }
        if (!anyLeft) {
            return true;
        }
        for (int i = 0; i < taken.length; i++) {
            RegisterOperation next = history.get(i);
            if (taken[i] || next.invoked() > firstReturn) {
                continue;
            }
            if (next.kind() == Kind.READ && next.value() != value) {
                continue;
            }
            taken[i] = true;
            boolean possible =
                    tryEveryOrder(history, taken, next.kind() == Kind.WRITE ? next.value() : value);
            taken[i] = false;
            if (possible) {
                return true;
            }
        }
        return false;
    }

    private static void assertFine(RegisterOperation... history) {
        assertThat(Linearizability.check(List.of(history), STEPS)).isEqualTo(Verdict.LINEARIZABLE);
    }

    private static void assertWrong(RegisterOperation... history) {
        assertThat(Linearizability.check(List.of(history), STEPS))
                .isEqualTo(Verdict.NOT_LINEARIZABLE);
    }

    private static RegisterOperation write(long value, long invoked, long returned) {
        return new RegisterOperation(Kind.WRITE, value, invoked, returned);
    }

    private static RegisterOperation read(long value, long invoked, long returned) {
        return new RegisterOperation(Kind.READ, value, invoked, returned);
    }
}
