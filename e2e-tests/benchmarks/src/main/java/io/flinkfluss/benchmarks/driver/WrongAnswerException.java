package io.flinkfluss.benchmarks.driver;

/** A system gave other rows than were written; a fast wrong answer is none. */
public final class WrongAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public WrongAnswerException(String what, Object expected, Object found) {
        super("wrong answer: " + what + " is " + found + ", not " + expected);
    }

    public static void check(String what, long expected, long found) {
        if (expected != found) {
            throw new WrongAnswerException(what, expected, found);
        }
    }
}
