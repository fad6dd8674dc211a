package io.flinkfluss.lake.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.lake.LakeTables;
import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.util.SerializableFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Readers that prune files by {@code bucket(key)} find what our writers put there. */
class BucketAgreementTest {
    private static final int BUCKETS = 7;

    static List<DataType> types() {
        return List.of(
                DataType.of(TypeRoot.TINYINT),
                DataType.of(TypeRoot.SMALLINT),
                DataType.of(TypeRoot.INT),
                DataType.of(TypeRoot.BIGINT),
                DataType.of(TypeRoot.CHAR, 3),
                DataType.of(TypeRoot.STRING),
                DataType.of(TypeRoot.BINARY, 5),
                DataType.of(TypeRoot.BYTES),
                DataType.decimal(9, 2),
                DataType.decimal(18, 3),
                DataType.decimal(38, 10),
                DataType.of(TypeRoot.DATE),
                DataType.of(TypeRoot.TIME, 3),
                DataType.of(TypeRoot.TIMESTAMP, 3),
                DataType.of(TypeRoot.TIMESTAMP, 6),
                DataType.of(TypeRoot.TIMESTAMP_LTZ, 6));
    }

    @ParameterizedTest
    @MethodSource("types")
    void ourBucketIsIcebergs(DataType type) {
        Schema schema = LakeTables.schema(List.of(), "k", type);
        BucketHash ours = new BucketHash(schema, new int[] {0}, BUCKETS);
        Type lakeType = IcebergTypes.of(Column.of(1, "k", type));
        SerializableFunction<Object, Integer> icebergs =
                Transforms.<Object>bucket(BUCKETS).bind(lakeType);
        Random random = new Random(5);
        for (int i = 0; i < 500; i++) {
            RowView row = GenericRow.of(value(type, random));
            assertThat(ours.bucket(row))
                    .as("%s %s", type, row)
                    .isEqualTo(icebergs.apply(IcebergTypes.partitionValue(row, 0, type)));
        }
    }

    private static Object value(DataType type, Random random) {
        return switch (type.root()) {
            case TINYINT -> (byte) random.nextInt();
            case SMALLINT -> (short) random.nextInt();
            case INT -> random.nextInt();
            case BIGINT -> random.nextLong();
            case CHAR, STRING -> "é" + Integer.toString(random.nextInt(), 36);
            case BINARY, BYTES ->
                    Integer.toString(random.nextInt(), 36)
                            .getBytes(java.nio.charset.StandardCharsets.UTF_8);
            case DECIMAL ->
                    new BigDecimal(
                            new BigInteger(type.length() * 3, random).negate(), type.scale());
            case DATE -> random.nextInt(40_000) - 20_000;
            case TIME -> random.nextInt(86_400_000);
            case TIMESTAMP -> LocalDateTime.ofInstant(instant(type, random), ZoneOffset.UTC);
            case TIMESTAMP_LTZ -> instant(type, random);
            case BOOLEAN, FLOAT, DOUBLE ->
                    throw new IllegalArgumentException(type + " cannot be bucketed");
        };
    }

    private static Instant instant(DataType type, Random random) {
        long millis = random.nextLong() % 4_000_000_000_000L;
        long nanos = type.length() > 3 ? random.nextInt(1000) * 1000L : 0;
        return Instant.ofEpochMilli(millis).plusNanos(nanos);
    }
}
