package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.ColumnPredicate.Operator;
import io.flinkfluss.storage.api.record.LogFilter;
import java.util.ArrayList;
import java.util.List;

/** The bytes of a filter within other messages; it has no version of its own. */
public final class FilterCodec {
    private FilterCodec() {}

    public static void write(WireOutput output, LogFilter filter) {
        output.writeVarint(filter.schemaId()).writeVarint(filter.predicates().size());
        for (ColumnPredicate predicate : filter.predicates()) {
            output.writeVarint(predicate.columnId())
                    .writeByte(predicate.operator().ordinal())
                    .writeVarint(predicate.values().size());
            predicate.values().forEach(output::writeBytes);
        }
    }

    public static LogFilter read(WireInput input) {
        int schemaId = input.readVarintAsInt();
        int count = input.readCount();
        List<ColumnPredicate> predicates = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            predicates.add(readPredicate(input));
        }
        return new LogFilter(schemaId, predicates);
    }

    private static ColumnPredicate readPredicate(WireInput input) {
        int columnId = input.readVarintAsInt();
        int operator = input.readByte();
        if (operator >= Operator.values().length) {
            throw input.corrupt(
                    "the operator "
                            + operator
                            + " of a filter; 0 to "
                            + (Operator.values().length - 1)
                            + " are known");
        }
        int count = input.readCount();
        List<byte[]> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(input.readBytes());
        }
        try {
            return new ColumnPredicate(columnId, Operator.values()[operator], values);
        } catch (IllegalArgumentException e) {
            throw input.corrupt("a filter in which " + e.getMessage());
        }
    }
}
