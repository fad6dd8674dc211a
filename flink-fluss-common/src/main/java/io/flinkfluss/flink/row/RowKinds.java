package io.flinkfluss.flink.row;

import io.flinkfluss.storage.api.record.ChangeKind;
import org.apache.flink.types.RowKind;

/** Change kinds as Flink's row kinds and back. */
public final class RowKinds {
    public static RowKind toFlink(ChangeKind kind) {
        return switch (kind) {
            case INSERT -> RowKind.INSERT;
            case UPDATE_BEFORE -> RowKind.UPDATE_BEFORE;
            case UPDATE_AFTER -> RowKind.UPDATE_AFTER;
            case DELETE -> RowKind.DELETE;
        };
    }

    public static ChangeKind toStorage(RowKind kind) {
        return switch (kind) {
            case INSERT -> ChangeKind.INSERT;
            case UPDATE_BEFORE -> ChangeKind.UPDATE_BEFORE;
            case UPDATE_AFTER -> ChangeKind.UPDATE_AFTER;
            case DELETE -> ChangeKind.DELETE;
        };
    }

    private RowKinds() {}
}
