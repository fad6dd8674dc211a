package io.flinkfluss.storage.api.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class BucketHashTest {
    private static final int BUCKETS = 1_000_003;

    /** Hash values published in appendix B of the Iceberg specification. */
    @Test
    void equalsIcebergsPublishedHashes() {
        assertBucket(DataType.of(TypeRoot.INT), 34, 2017239379);
        assertBucket(DataType.of(TypeRoot.TINYINT), (byte) 34, 2017239379);
        assertBucket(DataType.of(TypeRoot.SMALLINT), (short) 34, 2017239379);
        assertBucket(DataType.of(TypeRoot.BIGINT), 34L, 2017239379);
        assertBucket(DataType.decimal(9, 2), new BigDecimal("14.20"), -500754589);
        assertBucket(DataType.decimal(38, 2), new BigDecimal("14.20"), -500754589);
        int day = (int) LocalDate.parse("2017-11-16").toEpochDay();
        assertBucket(DataType.of(TypeRoot.DATE), day, -653330422);
        int time = (int) (LocalTime.parse("22:31:08").toNanoOfDay() / 1_000_000);
        assertBucket(DataType.of(TypeRoot.TIME, 3), time, -662762989);
        LocalDateTime timestamp = LocalDateTime.parse("2017-11-16T22:31:08");
        assertBucket(DataType.of(TypeRoot.TIMESTAMP, 3), timestamp, -2047944441);
        assertBucket(DataType.of(TypeRoot.TIMESTAMP, 6), timestamp, -2047944441);
        assertBucket(DataType.of(TypeRoot.TIMESTAMP, 9), timestamp, -2047944441);
        LocalDateTime withMicros = LocalDateTime.parse("2017-11-16T22:31:08.000001");
        assertBucket(DataType.of(TypeRoot.TIMESTAMP, 6), withMicros, -1207196810);
        assertBucket(
                DataType.of(TypeRoot.TIMESTAMP_LTZ, 6),
                Instant.parse("2017-11-16T22:31:08Z"),
                -2047944441);
        assertBucket(DataType.of(TypeRoot.STRING), "iceberg", 1210000089);
        assertBucket(DataType.of(TypeRoot.BYTES), new byte[] {0, 1, 2, 3}, -188683207);
    }

    private static void assertBucket(DataType type, Object value, int publishedHash) {
        Schema schema =
                new Schema(
                        1,
                        List.of(
                                Column.of(0, "other", DataType.of(TypeRoot.INT)),
                                Column.of(1, "key", type)),
                        List.of());
        BucketHash hash = new BucketHash(schema, new int[] {1}, BUCKETS);
        int expected = (publishedHash & Integer.MAX_VALUE) % BUCKETS;
        assertThat(hash.bucket(GenericRow.of(1, value))).as(type.toString()).isEqualTo(expected);
        assertThat(hash.bucketOfKeyRow(GenericRow.of(value))).isEqualTo(expected);
    }

    @Test
    void bytesHashLikeMurmur3() {
        assertThat(BucketHash.hash(new byte[0])).isZero();
        assertThat(BucketHash.hash("hello".getBytes(StandardCharsets.UTF_8))).isEqualTo(0x248bfa47);
        assertThat(BucketHash.hash(34L))
                .isEqualTo(BucketHash.hash(new byte[] {34, 0, 0, 0, 0, 0, 0, 0}));
    }

    @Test
    void severalColumnsAndDoublesUseTheKeyForm() {
        Schema schema =
                new Schema(
                        1,
                        List.of(
                                Column.of(0, "a", DataType.of(TypeRoot.DOUBLE)),
                                Column.of(1, "b", DataType.of(TypeRoot.STRING))),
                        List.of());
        int[] both = {1, 0};
        GenericRow row = GenericRow.of(0.5, "x");
        byte[] key = new KeyCodec(schema, both).encode(row);
        assertThat(new BucketHash(schema, both, 7).bucket(row))
                .isEqualTo((BucketHash.hash(key) & Integer.MAX_VALUE) % 7)
                .isEqualTo(new BucketHash(schema, both, 7).bucketOfKeyRow(GenericRow.of("x", 0.5)));
        assertThat(new BucketHash(schema, new int[] {0}, 7).bucket(row)).isBetween(0, 6);
        assertThatThrownBy(
                        () ->
                                new BucketHash(schema, new int[] {1}, 7)
                                        .bucket(GenericRow.of(0.5, null)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("b is NULL");
    }
}
