package io.flinkfluss.flink.source.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.ColumnPredicate.Operator;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinition;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.junit.jupiter.api.Test;

class FilterTranslatorTest {
    private static final List<DataType> TYPES =
            List.of(
                    DataType.of(TypeRoot.TINYINT),
                    DataType.of(TypeRoot.SMALLINT),
                    DataType.of(TypeRoot.INT),
                    DataType.of(TypeRoot.BIGINT),
                    DataType.of(TypeRoot.FLOAT),
                    DataType.of(TypeRoot.DOUBLE),
                    DataType.decimal(6, 2),
                    DataType.of(TypeRoot.STRING),
                    DataType.of(TypeRoot.DATE),
                    DataType.of(TypeRoot.TIME, 3),
                    DataType.of(TypeRoot.TIMESTAMP, 3),
                    DataType.of(TypeRoot.TIMESTAMP, 6),
                    DataType.of(TypeRoot.TIMESTAMP_LTZ, 9),
                    DataType.of(TypeRoot.CHAR, 3),
                    DataType.of(TypeRoot.BOOLEAN));
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    IntStream.range(0, TYPES.size())
                            .mapToObj(i -> Column.of(10 + i, name(TYPES.get(i)), TYPES.get(i)))
                            .toList(),
                    List.of());
    private static final FilterTranslator TRANSLATOR = new FilterTranslator(SCHEMA);

    private static String name(DataType type) {
        return type.root() == TypeRoot.TIMESTAMP
                ? "TIMESTAMP" + type.length()
                : type.root().toString();
    }

    private static ResolvedExpression field(String name) {
        // the type is not looked at
        return new FieldReferenceExpression(name, DataTypes.INT(), 0, 0);
    }

    private static ResolvedExpression literal(Object value) {
        return new ValueLiteralExpression(value);
    }

    private static ResolvedExpression call(
            BuiltInFunctionDefinition function, ResolvedExpression... operands) {
        return CallExpression.permanent(function, List.of(operands), DataTypes.BOOLEAN());
    }

    private static ResolvedExpression equal(String column, Object value) {
        return call(BuiltInFunctionDefinitions.EQUALS, field(column), literal(value));
    }

    private static void assertTranslated(
            ResolvedExpression condition, String column, Operator operator, Object... values) {
        ColumnPredicate expected =
                ColumnPredicate.of(SCHEMA.columns().get(SCHEMA.indexOf(column)), operator, values);
        assertThat(TRANSLATOR.translate(condition))
                .as(condition.asSummaryString())
                .get()
                .usingRecursiveComparison()
                .isEqualTo(expected);
    }

    private static void assertNot(ResolvedExpression condition) {
        assertThat(TRANSLATOR.translate(condition)).as(condition.asSummaryString()).isEmpty();
    }

    @Test
    void comparisonsInEitherOrder() {
        record Case(BuiltInFunctionDefinition function, Operator straight, Operator turned) {}
        for (Case each :
                List.of(
                        new Case(BuiltInFunctionDefinitions.EQUALS, Operator.IN, Operator.IN),
                        new Case(
                                BuiltInFunctionDefinitions.LESS_THAN,
                                Operator.LESS,
                                Operator.GREATER),
                        new Case(
                                BuiltInFunctionDefinitions.LESS_THAN_OR_EQUAL,
                                Operator.LESS_OR_EQUAL,
                                Operator.GREATER_OR_EQUAL),
                        new Case(
                                BuiltInFunctionDefinitions.GREATER_THAN,
                                Operator.GREATER,
                                Operator.LESS),
                        new Case(
                                BuiltInFunctionDefinitions.GREATER_THAN_OR_EQUAL,
                                Operator.GREATER_OR_EQUAL,
                                Operator.LESS_OR_EQUAL))) {
            assertTranslated(
                    call(each.function(), field("INT"), literal(5)), "INT", each.straight(), 5);
            assertTranslated(
                    call(each.function(), literal(5), field("INT")), "INT", each.turned(), 5);
        }
    }

    @Test
    void questionsAboutNull() {
        assertTranslated(
                call(BuiltInFunctionDefinitions.IS_NULL, field("BOOLEAN")),
                "BOOLEAN",
                Operator.IS_NULL);
        assertTranslated(
                call(BuiltInFunctionDefinitions.IS_NOT_NULL, field("CHAR")),
                "CHAR",
                Operator.IS_NOT_NULL);
    }

    @Test
    void oneOfSeveralValuesOfOneColumn() {
        ResolvedExpression two =
                call(BuiltInFunctionDefinitions.OR, equal("INT", 1), equal("INT", 2));
        assertTranslated(
                call(BuiltInFunctionDefinitions.OR, two, equal("INT", 3)),
                "INT",
                Operator.IN,
                1,
                2,
                3);
        assertNot(call(BuiltInFunctionDefinitions.OR, two, equal("BIGINT", 3L)));
        assertNot(
                call(
                        BuiltInFunctionDefinitions.OR,
                        two,
                        call(BuiltInFunctionDefinitions.LESS_THAN, field("INT"), literal(0))));
    }

    @Test
    void aListOfAnyLengthIsNoProblem() {
        ResolvedExpression in = equal("INT", 0);
        for (int i = 1; i < 1000; i++) {
            in = call(BuiltInFunctionDefinitions.OR, in, equal("INT", i));
        }
        assertThat(TRANSLATOR.translate(in).orElseThrow().values()).hasSize(1000);
        for (int i = 0; i < 50_000; i++) {
            in = call(BuiltInFunctionDefinitions.OR, in, equal("INT", i));
        }
        assertThat(TRANSLATOR.translate(in)).isEmpty();
    }

    @Test
    void valuesThatTheColumnHolds() {
        assertTranslated(equal("TINYINT", 7), "TINYINT", Operator.IN, (byte) 7);
        assertTranslated(equal("SMALLINT", 7), "SMALLINT", Operator.IN, (short) 7);
        assertTranslated(equal("BIGINT", 7), "BIGINT", Operator.IN, 7L);
        assertTranslated(equal("FLOAT", 0.5d), "FLOAT", Operator.IN, 0.5f);
        assertTranslated(equal("DOUBLE", 0.1d), "DOUBLE", Operator.IN, 0.1d);
        assertTranslated(equal("DOUBLE", -0.0d), "DOUBLE", Operator.IN, 0.0d);
        assertTranslated(equal("DOUBLE", new BigDecimal("0.25")), "DOUBLE", Operator.IN, 0.25d);
        assertTranslated(equal("DECIMAL", 12), "DECIMAL", Operator.IN, new BigDecimal("12.00"));
        assertTranslated(equal("STRING", "äb "), "STRING", Operator.IN, "äb ");
        assertTranslated(equal("DATE", LocalDate.of(1970, 1, 3)), "DATE", Operator.IN, 2);
        assertTranslated(equal("TIME", LocalTime.of(0, 0, 1)), "TIME", Operator.IN, 1000);
        LocalDateTime time = LocalDateTime.parse("2026-01-02T03:04:05.678");
        assertTranslated(equal("TIMESTAMP3", time), "TIMESTAMP3", Operator.IN, time);
        assertTranslated(equal("TIMESTAMP6", time), "TIMESTAMP6", Operator.IN, time);
        Instant instant = Instant.parse("2026-01-02T03:04:05.678901234Z");
        assertTranslated(equal("TIMESTAMP_LTZ", instant), "TIMESTAMP_LTZ", Operator.IN, instant);
    }

    @Test
    void whatDoesNotFitIsLeftToTheQuery() {
        assertNot(equal("TINYINT", 128));
        assertNot(equal("INT", 5_000_000_000L));
        assertNot(equal("INT", new BigDecimal("1.5")));
        assertNot(equal("BIGINT", 7.0d));
        assertNot(equal("DECIMAL", 0.5d));
        assertNot(equal("FLOAT", 0.1d));
        assertNot(equal("DOUBLE", Double.NaN));
        assertNot(equal("DOUBLE", new BigDecimal("0.1")));
        assertNot(equal("DECIMAL", new BigDecimal("0.001")));
        assertNot(equal("DECIMAL", 10_000));
        assertNot(equal("TIMESTAMP3", LocalDateTime.parse("2026-01-02T03:04:05.678900")));
        assertNot(equal("TIMESTAMP6", LocalDateTime.parse("2026-01-02T03:04:05.678900001")));
        assertNot(equal("TIMESTAMP_LTZ", LocalDateTime.parse("2026-01-02T03:04:05")));
        assertNot(equal("CHAR", "abc"));
        assertNot(equal("BOOLEAN", true));
        assertNot(equal("unknown", 1));
        assertNot(field("BOOLEAN"));
        assertNot(call(BuiltInFunctionDefinitions.EQUALS, field("INT"), field("INT")));
        assertNot(call(BuiltInFunctionDefinitions.EQUALS, literal(1), literal(1)));
        assertNot(call(BuiltInFunctionDefinitions.NOT_EQUALS, field("INT"), literal(1)));
        assertNot(
                call(
                        BuiltInFunctionDefinitions.EQUALS,
                        call(BuiltInFunctionDefinitions.ABS, field("INT")),
                        literal(1)));
    }
}
