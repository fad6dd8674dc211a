package io.flinkfluss.storage.api.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ColumnBoundsTest {
    private static final Column COLUMN = Column.of(1, "b", DataType.of(TypeRoot.BYTES));
    private static final byte[] FEW_BYTES = {0, 1, 0x7F, (byte) 0x80, (byte) 0xFF};
    private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

    /** Values that begin alike, that end early, and that differ only far behind. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void boundsOfBytesAreTheirSmallestAndLargest(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ColumnBounds bounds = new ColumnBounds(COLUMN);
        for (int round = 0; round < 2_000; round++) {
            List<byte[]> values = new ArrayList<>();
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                byte[] value = new byte[random.nextInt(round % 2 == 0 ? 12 : 30)];
                int alike = round % 2 == 0 ? 7 : random.nextInt(30);
                for (int at = 0; at < value.length; at++) {
                    int different = round % 2 == 0 ? 2 : 1;
                    value[at] =
                            FEW_BYTES[random.nextInt(at < alike ? different : FEW_BYTES.length)];
                }
                values.add(value);
                bounds.addBytes(value);
            }

            ColumnStatistics found = bounds.take(0);
            values.sort(ORDER);
            assertThat(found.min()).isEqualTo(keyForm(values.get(0)));
            assertThat(found.max()).isEqualTo(keyForm(values.get(values.size() - 1)));
        }
    }

    private static byte[] keyForm(byte[] value) {
        return KeyCodec.encodeValue(COLUMN.type(), GenericRow.of((Object) value), 0);
    }
}
