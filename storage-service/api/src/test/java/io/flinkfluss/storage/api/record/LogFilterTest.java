package io.flinkfluss.storage.api.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.record.ColumnPredicate.Operator;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LogFilterTest {
    private static final int ROUNDS = 600;
    private static final Column NUMBER = Column.of(4, "n", DataType.of(TypeRoot.INT));

    static Stream<Integer> columns() {
        return IntStream.range(0, AllTypes.TYPES.size()).boxed();
    }

    /** Random batches and predicates of each type against a look at every row. */
    @ParameterizedTest
    @MethodSource("columns")
    void aBatchWithARowThatMatchesIsNeverExcluded(int columnIndex) {
        DataType type = AllTypes.TYPES.get(columnIndex);
        Column column = Column.of(7, "c", type);
        Schema schema = new Schema(3, List.of(column), List.of());
        Random random = new Random(columnIndex);
        int excluded = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Object> pool = pool(type, columnIndex, random);
            List<Object> values = some(pool, random, 1 + random.nextInt(4));
            if (random.nextInt(4) == 0) {
                values.set(random.nextInt(values.size()), null);
            }
            Operator operator = Operator.values()[random.nextInt(Operator.values().length)];
            List<Object> literals = some(pool, random, literals(operator, random));
            ArrowBatch batch = batch(schema, values);
            LogFilter filter = filter(ColumnPredicate.of(column, operator, literals.toArray()));

            boolean may = filter.mayMatch(3, batch.rowCount(), batch.statistics());

            boolean does = values.stream().anyMatch(value -> holds(value, operator, literals));
            assertThat(may || !does)
                    .as("round %d: %s of %s %s %s", round, type, values, operator, literals)
                    .isTrue();
            excluded += may ? 0 : 1;
        }
        assertThat(excluded).as("batches that need not be read").isGreaterThan(ROUNDS / 20);
    }

    private static LogFilter filter(ColumnPredicate... predicates) {
        return new LogFilter(3, List.of(predicates));
    }

    private static ArrowBatch batch(Schema schema, List<Object> values) {
        return TestBatches.arrow(
                schema,
                values.stream()
                        .map(value -> GenericRow.of(new Object[] {value}))
                        .toArray(GenericRow[]::new));
    }

    private static int literals(Operator operator, Random random) {
        return switch (operator) {
            case IN -> 1 + random.nextInt(3);
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> 1;
            case IS_NULL, IS_NOT_NULL -> 0;
        };
    }

    private static List<Object> some(List<Object> pool, Random random, int count) {
        List<Object> chosen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chosen.add(pool.get(random.nextInt(pool.size())));
        }
        return chosen;
    }

    /** The extremes of the type, and values that differ late or only in sign. */
    private static List<Object> pool(DataType type, int columnIndex, Random random) {
        List<Object> pool = new ArrayList<>();
        for (GenericRow row : AllTypes.rows()) {
            if (!row.isNullAt(columnIndex)) {
                pool.add(row.valueAt(columnIndex));
            }
        }
        switch (type.root()) {
            case TINYINT -> pool.add((byte) random.nextInt());
            case SMALLINT -> pool.add((short) random.nextInt());
            case INT -> pool.addAll(List.of(random.nextInt(), random.nextInt(9)));
            case BIGINT -> pool.addAll(List.of(random.nextLong(), (long) random.nextInt(9)));
            case FLOAT -> pool.addAll(List.of(-0.0f, random.nextFloat() - 0.5f, Float.MIN_VALUE));
            case DOUBLE -> pool.addAll(List.of(-0.0d, random.nextDouble() - 0.5d, -1e300));
            case STRING, CHAR -> pool.addAll(texts(random));
            case BYTES ->
                    texts(random).forEach(text -> pool.add(text.getBytes(StandardCharsets.UTF_8)));
            default -> {}
        }
        if (type.root() == TypeRoot.BYTES) {
            byte[] largest = new byte[40];
            Arrays.fill(largest, (byte) 0xFF);
            pool.add(largest);
            pool.add(Arrays.copyOf(largest, 31 + random.nextInt(3)));
        }
        return pool;
    }

    /** Around the 32 bytes at which bounds are cut. */
    private static List<String> texts(Random random) {
        String common = "p".repeat(30 + random.nextInt(3));
        List<String> texts = new ArrayList<>();
        for (String tail : List.of("", "a", "b", "ab", "\u0000", "\uffff", "𝄞x", "aaaaa")) {
            texts.add(common + tail);
        }
        return texts;
    }

    /** As a query evaluates it. */
    private static boolean holds(Object value, Operator operator, List<Object> literals) {
        if (operator == Operator.IS_NULL || operator == Operator.IS_NOT_NULL) {
            return (value == null) == (operator == Operator.IS_NULL);
        }
        if (value == null) {
            return false;
        }
        return literals.stream().anyMatch(literal -> compares(value, operator, literal));
    }

    private static boolean compares(Object value, Operator operator, Object literal) {
        if (value instanceof Double || value instanceof Float) {
            double left = ((Number) value).doubleValue();
            double right = ((Number) literal).doubleValue();
            return switch (operator) {
                case IN -> left == right;
                case LESS -> left < right;
                case LESS_OR_EQUAL -> left <= right;
                case GREATER -> left > right;
                case GREATER_OR_EQUAL -> left >= right;
                case IS_NULL, IS_NOT_NULL -> throw new IllegalArgumentException();
            };
        }
        int order = order(value, literal);
        return switch (operator) {
            case IN -> order == 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
            case IS_NULL, IS_NOT_NULL -> throw new IllegalArgumentException();
        };
    }

    @SuppressWarnings("unchecked")
    private static int order(Object left, Object right) {
        if (left instanceof String text) {
            return Arrays.compareUnsigned(
                    text.getBytes(StandardCharsets.UTF_8),
                    ((String) right).getBytes(StandardCharsets.UTF_8));
        }
        if (left instanceof byte[] bytes) {
            return Arrays.compareUnsigned(bytes, (byte[]) right);
        }
        return ((Comparable<Object>) left).compareTo(right);
    }

    private static boolean mayMatch(ColumnPredicate predicate, ColumnStatistics... statistics) {
        return filter(predicate).mayMatch(3, 10, List.of(statistics));
    }

    @Test
    void whatIsNotKnownMayMatch() {
        ColumnPredicate seven = ColumnPredicate.of(NUMBER, Operator.IN, 7);
        byte[] eight = ColumnPredicate.of(NUMBER, Operator.IN, 8).values().get(0);
        ColumnStatistics excluding = new ColumnStatistics(4, 0, eight, eight);

        assertThat(mayMatch(seven, excluding)).isFalse();
        assertThat(mayMatch(seven)).isTrue();
        assertThat(mayMatch(seven, new ColumnStatistics(5, 0, eight, eight))).isTrue();
        assertThat(mayMatch(seven, new ColumnStatistics(4, 0, null, eight))).isTrue();
        assertThat(mayMatch(seven, new ColumnStatistics(4, 0, eight, null))).isTrue();
        assertThat(mayMatch(seven, new ColumnStatistics(4, 9, null, null))).isTrue();
        assertThat(mayMatch(seven, new ColumnStatistics(4, 10, null, null))).isFalse();
        assertThat(filter(seven).mayMatch(2, 10, List.of(excluding)))
                .as("another schema, in which the column may have another type")
                .isTrue();
        assertThat(LogFilter.NONE.mayMatch(0, 10, List.of(excluding))).isTrue();
    }

    @Test
    void onePredicateThatCannotHoldIsEnough() {
        ColumnPredicate known = ColumnPredicate.of(NUMBER, Operator.IS_NOT_NULL);
        ColumnPredicate large = ColumnPredicate.of(NUMBER, Operator.GREATER, 100);
        byte[] eight = ColumnPredicate.of(NUMBER, Operator.IN, 8).values().get(0);
        List<ColumnStatistics> statistics = List.of(new ColumnStatistics(4, 3, eight, eight));

        assertThat(filter(known).mayMatch(3, 10, statistics)).isTrue();
        assertThat(filter(known, large).mayMatch(3, 10, statistics)).isFalse();
    }

    @Test
    void anOperatorTakesItsNumberOfValues() {
        for (Operator operator : Operator.values()) {
            Object[] wrong = new Object[operator == Operator.IS_NULL ? 1 : 0];
            Arrays.fill(wrong, 5);
            if (operator != Operator.IS_NOT_NULL) {
                assertThatThrownBy(() -> ColumnPredicate.of(NUMBER, operator, wrong))
                        .hasMessageContaining(operator + " was given " + wrong.length + " values");
            }
        }
    }
}
