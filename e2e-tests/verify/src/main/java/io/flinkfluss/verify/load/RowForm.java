package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.verify.check.Row;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** How the checker's rows look in tables. */
final class RowForm {
    private static final int SHORTEST = 8;
    private static final int LENGTHS = 64;

    private RowForm() {}

    static GenericRow log(int writer, int sequence) {
        return GenericRow.of((long) writer, (long) sequence, text(writer, sequence));
    }

    static GenericRow keyed(int key, int writer, int sequence) {
        return GenericRow.of((long) key, (long) writer, (long) sequence, text(writer, sequence));
    }

    /** Only the key is set, as for a delete. */
    static GenericRow keyOnly(int key) {
        return GenericRow.of((long) key, null, null, null);
    }

    /** Reads a row back; empty when no writer writes such a row. */
    static Optional<Row> read(RowView row, boolean keyed, ChangeKind kind) {
        int first = keyed ? 1 : 0;
        for (int i = 0; i < first + 3; i++) {
            if (row.isNullAt(i)) {
                return Optional.empty();
            }
        }
        long key = keyed ? row.longAt(0) : 0;
        long writer = row.longAt(first);
        long sequence = row.longAt(first + 1);
        if (!Row.isPossible(key, writer, sequence)) {
            return Optional.empty();
        }
        byte[] expected = text((int) writer, (int) sequence).getBytes(StandardCharsets.US_ASCII);
        return Arrays.equals(expected, row.bytesAt(first + 2))
                ? Optional.of(new Row(kind, (int) key, (int) writer, (int) sequence))
                : Optional.empty();
    }

    /** Follows from writer and sequence, so that a damaged byte is found. */
    private static String text(int writer, int sequence) {
        long state = Row.value(writer, sequence) * 0x9E3779B97F4A7C15L;
        int length = SHORTEST + (int) (state >>> 32 & LENGTHS - 1);
        char[] letters = new char[length];
        for (int i = 0; i < length; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            letters[i] = (char) ('a' + (int) (state >>> 59) % 26);
        }
        return new String(letters);
    }
}
