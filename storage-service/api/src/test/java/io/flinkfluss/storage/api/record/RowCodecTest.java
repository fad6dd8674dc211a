package io.flinkfluss.storage.api.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowCodecTest {
    private static final Schema SMALL =
            new Schema(
                    1,
                    List.of(
                            Column.of(0, "id", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(1, "name", DataType.of(TypeRoot.STRING)),
                            Column.of(2, "note", DataType.of(TypeRoot.STRING))),
                    List.of("id"));

    @Test
    void everyTypeSurvives() {
        RowCodec codec = new RowCodec(AllTypes.SCHEMA);
        for (GenericRow row : AllTypes.rows()) {
            RowView read = codec.decode(codec.encode(row));
            assertThat(GenericRow.copyOf(read, AllTypes.TYPES)).isEqualTo(row);
        }
    }

    @Test
    void format1StaysAsItIs() {
        byte[] bytes = new RowCodec(SMALL).encode(GenericRow.of(7, "ab", null));
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("01" + "04" + "10000000" + "10000000" + "07000000" + "6162");
    }

    @Test
    void nullInNotNullColumnNamesTheColumn() {
        assertThatThrownBy(() -> new RowCodec(SMALL).encode(GenericRow.of(null, "a", "b")))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH))
                .hasMessageContaining("column id is INT NOT NULL");
    }

    @Test
    void damagedBytesAreRefusedAndNeverReadOutside() {
        RowCodec codec = new RowCodec(SMALL);
        byte[] bytes = codec.encode(GenericRow.of(7, "ab", "c"));
        assertThatThrownBy(() -> codec.decode(Arrays.copyOf(bytes, 5)))
                .hasMessageContaining("at least");
        byte[] otherVersion = bytes.clone();
        otherVersion[0] = 9;
        assertThatThrownBy(() -> codec.decode(otherVersion)).hasMessageContaining("version 9");
        byte[] longEnd = bytes.clone();
        longEnd[3] = 100;
        assertThatThrownBy(() -> codec.decode(longEnd).bytesAt(1))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("name");
    }

    /** Field case O-42: the declared precision is what is kept, in rows as in Arrow and in keys. */
    @ParameterizedTest
    @CsvSource({"3, 0", "4, 456000", "6, 456000", "9, 456789"})
    void timestampsKeepWhatTheirPrecisionSays(int precision, int nanosOfMilli) {
        for (TypeRoot root : List.of(TypeRoot.TIMESTAMP, TypeRoot.TIMESTAMP_LTZ)) {
            DataType type = DataType.of(root, precision).notNull();
            Schema schema = new Schema(1, List.of(Column.of(0, "t", type)), List.of("t"));
            Object exact =
                    root == TypeRoot.TIMESTAMP
                            ? LocalDateTime.of(2026, 1, 2, 12, 0, 0, 123_456_789)
                            : Instant.ofEpochSecond(1_000, 123_456_789);
            Object kept =
                    root == TypeRoot.TIMESTAMP
                            ? LocalDateTime.of(2026, 1, 2, 12, 0, 0, 123_000_000 + nanosOfMilli)
                            : Instant.ofEpochSecond(1_000, 123_000_000 + nanosOfMilli);
            RowCodec codec = new RowCodec(schema);
            RowView read = codec.decode(codec.encode(GenericRow.of(exact)));
            assertThat(read.nanosOfMilliAt(0)).as("%s", type).isEqualTo(nanosOfMilli);
            KeyCodec keys = new KeyCodec(schema, new int[] {0});
            assertThat(keys.encode(GenericRow.of(exact)))
                    .isEqualTo(keys.encode(GenericRow.of(kept)));
        }
    }
}
