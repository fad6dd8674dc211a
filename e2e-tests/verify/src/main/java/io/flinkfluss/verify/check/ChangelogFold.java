package io.flinkfluss.verify.check;

import io.flinkfluss.storage.api.record.ChangeKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The state that a changelog leaves, and whether each change fits the state before it. */
final class ChangelogFold {
    private final Map<Integer, Long> state = new HashMap<>();
    private Row before;

    /** Applies the next change; says what is wrong with it, if anything. */
    Optional<String> check(Row row) {
        String wrong = null;
        Long current = state.get(row.key());
        Row announced = before;
        before = null;
        switch (row.kind()) {
            case INSERT -> {
                if (current != null) {
                    wrong = "there already is " + Row.describeValue(current);
                }
            }
            case UPDATE_BEFORE, DELETE -> {
                if (current == null || current != row.value()) {
                    wrong = "the row before is " + Row.describeValue(current == null ? 0 : current);
                }
                before = row;
            }
            case UPDATE_AFTER -> {
                if (announced == null
                        || announced.key() != row.key()
                        || announced.kind() != ChangeKind.UPDATE_BEFORE) {
                    wrong = "no UPDATE_BEFORE of the key is right before it";
                }
            }
        }
        apply(state, row);
        return Optional.ofNullable(wrong).map(text -> row + " does not fit: " + text);
    }

    static void apply(Map<Integer, Long> state, Row row) {
        switch (row.kind()) {
            case INSERT, UPDATE_AFTER -> state.put(row.key(), row.value());
            case DELETE -> state.remove(row.key());
            case UPDATE_BEFORE -> {}
        }
    }

    /** Whether the change carries a row that a writer wrote, not one that it replaced. */
    static boolean isNewRow(Row row) {
        return switch (row.kind()) {
            case INSERT, UPDATE_AFTER -> true;
            case UPDATE_BEFORE, DELETE -> false;
        };
    }
}
