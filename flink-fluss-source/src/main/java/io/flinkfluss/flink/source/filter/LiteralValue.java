package io.flinkfluss.flink.source.filter;

import io.flinkfluss.flink.type.FlinkTypes;
import io.flinkfluss.storage.api.table.DataType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Optional;
import org.apache.flink.table.expressions.ValueLiteralExpression;

/** Literals of a query as values of a column. */
final class LiteralValue {
    private static final int NANOS_PER_MILLI = 1_000_000;

    private LiteralValue() {}

    /**
     * The literal in the form of {@link io.flinkfluss.storage.api.record.GenericRow}; empty when
     * the column cannot hold exactly this value, or compares in another way than its bounds do.
     */
    static Optional<Object> of(DataType type, ValueLiteralExpression literal) {
        try {
            return switch (type.root()) {
                case TINYINT -> exactNumber(literal).map(BigDecimal::byteValueExact);
                case SMALLINT -> exactNumber(literal).map(BigDecimal::shortValueExact);
                case INT -> exactNumber(literal).map(BigDecimal::intValueExact);
                case BIGINT -> exactNumber(literal).map(BigDecimal::longValueExact);
                case DECIMAL -> exactNumber(literal).map(value -> decimal(type, value));
                case FLOAT -> number(literal).map(LiteralValue::exactFloat);
                case DOUBLE -> number(literal).map(LiteralValue::exactDouble);
                case STRING -> literal.getValueAs(String.class).map(text -> text);
                case DATE -> time(type, literal, LocalDate.class).map(LiteralValue::days);
                case TIME -> time(type, literal, LocalTime.class).map(LiteralValue::millis);
                case TIMESTAMP ->
                        time(type, literal, LocalDateTime.class)
                                .filter(value -> isKept(type, value.getNano()))
                                .map(value -> value);
                case TIMESTAMP_LTZ ->
                        time(type, literal, Instant.class)
                                .filter(value -> isKept(type, value.getNano()))
                                .map(value -> value);
                case BOOLEAN, CHAR, BINARY, BYTES -> Optional.empty();
            };
        } catch (ArithmeticException notExact) {
            return Optional.empty();
        }
    }

    /** Empty for floating point numbers: a query compares with them after rounding the column. */
    private static Optional<BigDecimal> exactNumber(ValueLiteralExpression literal) {
        return literal.getValueAs(Number.class)
                .filter(value -> !isFloatingPoint(value))
                .map(value -> new BigDecimal(value.toString()));
    }

    /** Empty for NaN and the infinities. */
    private static Optional<BigDecimal> number(ValueLiteralExpression literal) {
        return literal.getValueAs(Number.class)
                .filter(LiteralValue::isFloatingPoint)
                .filter(value -> Double.isFinite(value.doubleValue()))
                .map(value -> new BigDecimal(value.doubleValue()))
                .or(() -> exactNumber(literal));
    }

    private static boolean isFloatingPoint(Number value) {
        return value instanceof Float || value instanceof Double;
    }

    private static BigDecimal decimal(DataType type, BigDecimal value) {
        BigDecimal scaled = value.setScale(type.scale(), RoundingMode.UNNECESSARY);
        if (scaled.precision() > type.length()) {
            throw new ArithmeticException(value + " does not fit " + type);
        }
        return scaled;
    }

    private static Float exactFloat(BigDecimal value) {
        return (float) exact(value, value.floatValue());
    }

    private static Double exactDouble(BigDecimal value) {
        return exact(value, value.doubleValue());
    }

    private static double exact(BigDecimal value, double rounded) {
        if (!Double.isFinite(rounded) || new BigDecimal(rounded).compareTo(value) != 0) {
            throw new ArithmeticException(value + " lies between two floating point numbers");
        }
        return rounded;
    }

    private static <T> Optional<T> time(
            DataType type, ValueLiteralExpression literal, Class<T> form) {
        boolean sameType =
                literal.getOutputDataType().getLogicalType().getTypeRoot()
                        == FlinkTypes.toFlink(type).getTypeRoot();
        return sameType ? literal.getValueAs(form) : Optional.empty();
    }

    private static Integer days(LocalDate date) {
        return Math.toIntExact(date.toEpochDay());
    }

    private static Integer millis(LocalTime time) {
        if (time.getNano() % NANOS_PER_MILLI != 0) {
            throw new ArithmeticException(time + " has more than milliseconds");
        }
        return (int) (time.toNanoOfDay() / NANOS_PER_MILLI);
    }

    /** Whether the column's precision keeps all of these nanoseconds. */
    private static boolean isKept(DataType type, int nanos) {
        int unit = type.length() <= 3 ? NANOS_PER_MILLI : type.length() <= 6 ? 1000 : 1;
        return nanos % unit == 0;
    }
}
