package io.flinkfluss.benchmarks.rows;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Makes the rows. A row follows from the seed and its number alone, so every system gets the same
 * ones and anyone can say what must be read back. Notes are words of a small dictionary and items
 * are random: together they compress to less than half. Any thread may use it.
 */
public final class OrderGenerator {
    /** Of the rows that all drivers write. */
    public static final long SEED = 42;

    private static final int TEXTS = 1 << 16;
    private static final int WORDS = 2_000;
    private static final int ITEM_LENGTH = 20;
    private static final int NOTE_LENGTH = 60;
    private static final int CUSTOMERS = 1_000_000;
    private static final int MOST_CENTS = 1_000_000;
    private static final int MOST_PIECES = 64;
    private static final int ROWS_PER_MILLISECOND = 10;
    private static final long FIRST_MILLIS = 1_760_000_000_000L;
    private static final String ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final String[] STATES = {
        "received",
        "accepted",
        "packed..",
        "shipping",
        "arrived.",
        "returned",
        "refunded",
        "archived"
    };

    private final long seed;
    private final byte[][] items = new byte[TEXTS][];
    private final byte[][] notes = new byte[TEXTS][];
    private final byte[][] states = new byte[STATES.length][];

    public OrderGenerator(long seed) {
        this.seed = Checksum.scramble(seed + 1);
        Random random = new Random(seed);
        String[] words = new String[WORDS];
        for (int i = 0; i < WORDS; i++) {
            words[i] = letters(random, 3 + random.nextInt(7), 26);
        }
        for (int i = 0; i < TEXTS; i++) {
            items[i] = bytes("item-" + letters(random, ITEM_LENGTH - 5, ALPHABET.length()));
            StringBuilder note = new StringBuilder();
            while (note.length() < NOTE_LENGTH) {
                note.append(words[random.nextInt(WORDS)]).append(' ');
            }
            notes[i] = bytes(note.substring(0, NOTE_LENGTH));
        }
        for (int i = 0; i < STATES.length; i++) {
            states[i] = bytes(STATES[i]);
        }
    }

    /** The row of a log at this position, from 0. */
    public OrderRow row(long number) {
        return row(number, number);
    }

    /** A version of the row with this key; versions of one key differ in all other fields. */
    public OrderRow row(long key, long version) {
        long first = Checksum.scramble(seed ^ version);
        long second = Checksum.scramble(first ^ seed);
        return new OrderRow(
                key,
                Long.remainderUnsigned(first, CUSTOMERS),
                items[(int) (second & TEXTS - 1)],
                (second >>> 16 & 0xFF_FFFF) % MOST_CENTS / 100.0,
                (int) (second >>> 40) % MOST_PIECES + 1,
                states[(int) (second >>> 48) & STATES.length - 1],
                FIRST_MILLIS + version / ROWS_PER_MILLISECOND,
                notes[(int) (first >>> 32) & TEXTS - 1]);
    }

    private static String letters(Random random, int count, int choice) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(ALPHABET.charAt(ALPHABET.length() - 1 - random.nextInt(choice)));
        }
        return text.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
