package io.flinkfluss.storage.api.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyCodecTest {
    @Test
    void byteOrderIsValueOrder() {
        ascending(DataType.of(TypeRoot.BOOLEAN), false, true);
        ascending(DataType.of(TypeRoot.TINYINT), (byte) -128, (byte) -1, (byte) 0, (byte) 127);
        ascending(
                DataType.of(TypeRoot.SMALLINT),
                Short.MIN_VALUE,
                (short) -1,
                (short) 0,
                Short.MAX_VALUE);
        ascending(DataType.of(TypeRoot.INT), Integer.MIN_VALUE, -256, -1, 0, 1, 256);
        ascending(DataType.of(TypeRoot.BIGINT), Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE);
        ascending(
                DataType.of(TypeRoot.FLOAT),
                Float.NEGATIVE_INFINITY,
                -1.5f,
                -Float.MIN_VALUE,
                0f,
                Float.MIN_VALUE,
                1.5f,
                Float.POSITIVE_INFINITY,
                Float.NaN);
        ascending(
                DataType.of(TypeRoot.DOUBLE),
                Double.NEGATIVE_INFINITY,
                -1e300,
                -1.5,
                0d,
                1e-300,
                Double.MAX_VALUE,
                Double.POSITIVE_INFINITY,
                Double.NaN);
        ascending(
                DataType.of(TypeRoot.STRING),
                "",
                "\u0000",
                "\u0000\u0000",
                "\u0000a",
                "\u0001",
                "a",
                "a\u0000",
                "a\u0000b",
                "aa",
                "b",
                "é");
        ascending(
                DataType.of(TypeRoot.BYTES),
                new byte[0],
                new byte[] {0},
                new byte[] {0, -1},
                new byte[] {1},
                new byte[] {-1},
                new byte[] {-1, 0},
                new byte[] {-1, -1});
        ascending(
                DataType.decimal(10, 2),
                new BigDecimal("-99.99"),
                new BigDecimal("-0.01"),
                new BigDecimal("0.00"),
                new BigDecimal("100.00"));
        ascending(
                DataType.decimal(38, 0),
                new BigDecimal("-" + "9".repeat(38)),
                new BigDecimal("-1"),
                new BigDecimal("0"),
                new BigDecimal("255"),
                new BigDecimal("256"),
                new BigDecimal("9".repeat(38)));
        ascending(
                DataType.of(TypeRoot.TIMESTAMP, 9),
                LocalDateTime.parse("1969-12-31T23:59:59.999999998"),
                LocalDateTime.parse("1969-12-31T23:59:59.999999999"),
                LocalDateTime.parse("1970-01-01T00:00:00"),
                LocalDateTime.parse("1970-01-01T00:00:00.000000001"));
    }

    private static void ascending(DataType type, Object... values) {
        for (int i = 1; i < values.length; i++) {
            byte[] lower = KeyCodec.encodeValue(type, GenericRow.of(values[i - 1]), 0);
            byte[] upper = KeyCodec.encodeValue(type, GenericRow.of(values[i]), 0);
            assertThat(Arrays.compareUnsigned(lower, upper))
                    .as("%s: %s < %s", type, values[i - 1], values[i])
                    .isNegative();
        }
    }

    @Test
    void negativeZeroIsZero() {
        DataType type = DataType.of(TypeRoot.DOUBLE);
        assertThat(KeyCodec.encodeValue(type, GenericRow.of(-0.0d), 0))
                .isEqualTo(KeyCodec.encodeValue(type, GenericRow.of(0.0d), 0));
    }

    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(0, "city", DataType.of(TypeRoot.STRING).notNull()),
                            Column.of(1, "value", DataType.of(TypeRoot.DOUBLE)),
                            Column.of(2, "day", DataType.of(TypeRoot.DATE).notNull())),
                    List.of("day", "city"));

    @Test
    void keyOrderIsThatOfTheKeyNotOfTheColumns() {
        KeyCodec codec = new KeyCodec(SCHEMA, SCHEMA.keyIndexes());
        byte[] early = codec.encode(GenericRow.of("z", 1.0, 1));
        byte[] late = codec.encode(GenericRow.of("a", null, 2));
        assertThat(Arrays.compareUnsigned(early, late)).isNegative();
        assertThat(codec.encodeKeyRow(GenericRow.of(1, "z"))).isEqualTo(early);
    }

    @Test
    void encodingOfTheFirstFieldsIsAPrefix() {
        KeyCodec codec = new KeyCodec(SCHEMA, new int[] {0, 2});
        byte[] key = codec.encode(GenericRow.of("ab", 1.0, 1));
        byte[] prefix = codec.encodeKeyPrefix(GenericRow.of("ab"), 1);
        assertThat(key).startsWith(prefix);
        byte[] other = codec.encode(GenericRow.of("abc", 1.0, 1));
        assertThat(Arrays.copyOf(other, prefix.length)).isNotEqualTo(prefix);
        assertThat(codec.encodeKeyPrefix(GenericRow.of(), 0)).isEmpty();
    }

    @Test
    void nullInAKeyNamesTheColumn() {
        KeyCodec codec = new KeyCodec(SCHEMA, SCHEMA.keyIndexes());
        assertThatThrownBy(() -> codec.encode(GenericRow.of(null, 1.0, 1)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.NULL_IN_KEY))
                .hasMessageContaining("key column city is NULL");
    }
}
