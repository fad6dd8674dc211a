package io.flinkfluss.flink.source.filter;

import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.ColumnPredicate.Operator;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.functions.FunctionDefinition;

/**
 * Translates the conditions of a query that compare one column with literals, or ask whether it is
 * NULL. What it gives holds for every row that the condition holds for.
 */
public final class FilterTranslator {
    private static final Map<FunctionDefinition, Operator> OPERATORS =
            Map.of(
                    BuiltInFunctionDefinitions.EQUALS, Operator.IN,
                    BuiltInFunctionDefinitions.LESS_THAN, Operator.LESS,
                    BuiltInFunctionDefinitions.LESS_THAN_OR_EQUAL, Operator.LESS_OR_EQUAL,
                    BuiltInFunctionDefinitions.GREATER_THAN, Operator.GREATER,
                    BuiltInFunctionDefinitions.GREATER_THAN_OR_EQUAL, Operator.GREATER_OR_EQUAL,
                    BuiltInFunctionDefinitions.IS_NULL, Operator.IS_NULL,
                    BuiltInFunctionDefinitions.IS_NOT_NULL, Operator.IS_NOT_NULL);

    /** A longer IN costs the service more than it saves. */
    private static final int MOST_VALUES = 1000;

    private final Schema schema;

    /**
     * @param schema of the table whose columns the conditions name
     */
    public FilterTranslator(Schema schema) {
        this.schema = schema;
    }

    /** The condition, or empty when batches cannot be asked for it. */
    public Optional<ColumnPredicate> translate(ResolvedExpression condition) {
        if (!(condition instanceof CallExpression call)) {
            return Optional.empty();
        }
        if (isOr(call)) {
            return oneOf(call);
        }
        List<ResolvedExpression> operands = call.getResolvedChildren();
        Operator operator = OPERATORS.get(call.getFunctionDefinition());
        if (operator == null) {
            return Optional.empty();
        }
        return switch (operator) {
            case IS_NULL, IS_NOT_NULL ->
                    column(operands.get(0)).map(column -> ColumnPredicate.of(column, operator));
            case IN, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
                    compare(operator, operands.get(0), operands.get(1));
        };
    }

    private Optional<ColumnPredicate> compare(
            Operator operator, ResolvedExpression left, ResolvedExpression right) {
        if (left instanceof ValueLiteralExpression) {
            return right instanceof ValueLiteralExpression
                    ? Optional.empty()
                    : compare(turned(operator), right, left);
        }
        if (!(right instanceof ValueLiteralExpression literal)) {
            return Optional.empty();
        }
        return column(left)
                .flatMap(
                        column ->
                                LiteralValue.of(column.type(), literal)
                                        .map(value -> ColumnPredicate.of(column, operator, value)));
    }

    /** The operator for operands that changed places. */
    private static Operator turned(Operator operator) {
        return switch (operator) {
            case LESS -> Operator.GREATER;
            case LESS_OR_EQUAL -> Operator.GREATER_OR_EQUAL;
            case GREATER -> Operator.LESS;
            case GREATER_OR_EQUAL -> Operator.LESS_OR_EQUAL;
            case IN, IS_NULL, IS_NOT_NULL -> operator;
        };
    }

    /** An IN arrives as a tree of ORs, deep when it is long; all must be about one column. */
    private Optional<ColumnPredicate> oneOf(CallExpression either) {
        Deque<ResolvedExpression> waiting = new ArrayDeque<>(List.of(either));
        List<byte[]> values = new ArrayList<>();
        int columnId = -1;
        while (!waiting.isEmpty()) {
            ResolvedExpression next = waiting.pop();
            if (isOr(next)) {
                List<ResolvedExpression> children = next.getResolvedChildren();
                for (int i = children.size() - 1; i >= 0; i--) {
                    waiting.push(children.get(i));
                }
                continue;
            }
            ColumnPredicate predicate = translate(next).orElse(null);
            if (predicate == null
                    || predicate.operator() != Operator.IN
                    || (!values.isEmpty() && predicate.columnId() != columnId)
                    || values.size() == MOST_VALUES) {
                return Optional.empty();
            }
            columnId = predicate.columnId();
            values.addAll(predicate.values());
        }
        return Optional.of(new ColumnPredicate(columnId, Operator.IN, values));
    }

    private static boolean isOr(ResolvedExpression condition) {
        return condition instanceof CallExpression call
                && call.getFunctionDefinition() == BuiltInFunctionDefinitions.OR;
    }

    private Optional<Column> column(ResolvedExpression expression) {
        if (!(expression instanceof FieldReferenceExpression field)) {
            return Optional.empty();
        }
        int index = schema.indexOf(field.getName());
        return index < 0 ? Optional.empty() : Optional.of(schema.columns().get(index));
    }
}
