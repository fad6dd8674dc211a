package io.flinkfluss.flink.sink;

import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;

/** Recognises a condition that names exactly one key. */
final class DeletedKey {
    private DeletedKey() {}

    /**
     * A row with just the key set, when the conditions are one equality per primary-key column and
     * nothing else.
     */
    static Optional<GenericRow> of(Schema schema, List<ResolvedExpression> conditions) {
        Object[] values = new Object[schema.columns().size()];
        for (ResolvedExpression condition : conditions) {
            if (!(condition instanceof CallExpression call)
                    || call.getFunctionDefinition() != BuiltInFunctionDefinitions.EQUALS) {
                return Optional.empty();
            }
            ResolvedExpression left = call.getResolvedChildren().get(0);
            ResolvedExpression right = call.getResolvedChildren().get(1);
            if (!(left instanceof FieldReferenceExpression)) {
                ResolvedExpression swapped = left;
                left = right;
                right = swapped;
            }
            if (!(left instanceof FieldReferenceExpression field)
                    || !(right instanceof ValueLiteralExpression literal)) {
                return Optional.empty();
            }
            int column = schema.indexOf(field.getName());
            if (!schema.primaryKey().contains(field.getName()) || values[column] != null) {
                return Optional.empty();
            }
            values[column] = value(literal, schema.columns().get(column).type()).orElse(null);
        }
        for (int column : schema.keyIndexes()) {
            if (values[column] == null) {
                return Optional.empty();
            }
        }
        return Optional.of(GenericRow.of(values));
    }

    private static Optional<?> value(ValueLiteralExpression literal, DataType type) {
        return switch (type.root()) {
            case BOOLEAN -> literal.getValueAs(Boolean.class);
            case TINYINT -> literal.getValueAs(Byte.class);
            case SMALLINT -> literal.getValueAs(Short.class);
            case INT -> literal.getValueAs(Integer.class);
            case BIGINT -> literal.getValueAs(Long.class);
            case FLOAT -> literal.getValueAs(Float.class);
            case DOUBLE -> literal.getValueAs(Double.class);
            case STRING -> literal.getValueAs(String.class);
            case BYTES -> literal.getValueAs(byte[].class);
            case DECIMAL ->
                    literal.getValueAs(BigDecimal.class)
                            .filter(value -> value.scale() <= type.scale())
                            .map(value -> value.setScale(type.scale()));
            case DATE -> literal.getValueAs(LocalDate.class).map(day -> (int) day.toEpochDay());
            case TIME ->
                    literal.getValueAs(LocalTime.class)
                            .map(time -> (int) (time.toNanoOfDay() / 1_000_000));
            case TIMESTAMP -> literal.getValueAs(LocalDateTime.class);
            case TIMESTAMP_LTZ -> literal.getValueAs(Instant.class);
            // Padding of fixed-length values is Flink's business: a job compares them.
            case CHAR, BINARY -> Optional.empty();
        };
    }
}
