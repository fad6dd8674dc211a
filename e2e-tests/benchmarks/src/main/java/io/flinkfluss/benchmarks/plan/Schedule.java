package io.flinkfluss.benchmarks.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/** The order of sessions: rounds, in each every stage, in each every contender once, shuffled. */
public final class Schedule {
    private Schedule() {}

    /** The same seed gives the same order. */
    public static List<Session> of(
            int rounds, Set<Stage> stages, Set<Contender> contenders, long seed) {
        // Small seeds of a Random begin alike: two contenders would never change places.
        Random random = new Random(new SplittableRandom(seed).nextLong());
        List<Session> sessions = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            for (Stage stage : EnumSet.copyOf(stages)) {
                List<Session> turns = new ArrayList<>();
                for (Contender contender : EnumSet.copyOf(contenders)) {
                    if (contender.takesPartIn(stage)) {
                        turns.add(new Session(round, stage, contender));
                    }
                }
                Collections.shuffle(turns, random);
                sessions.addAll(turns);
            }
        }
        return sessions;
    }
}
