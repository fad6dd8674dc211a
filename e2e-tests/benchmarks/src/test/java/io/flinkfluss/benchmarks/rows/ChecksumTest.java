package io.flinkfluss.benchmarks.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChecksumTest {
    private static final OrderRow ROW = row(1, 2, "item", 3.5, 4, "state", 5, "note");

    @Test
    void everyFieldCounts() {
        List<OrderRow> others =
                List.of(
                        row(9, 2, "item", 3.5, 4, "state", 5, "note"),
                        row(1, 9, "item", 3.5, 4, "state", 5, "note"),
                        row(1, 2, "itex", 3.5, 4, "state", 5, "note"),
                        row(1, 2, "item", 3.6, 4, "state", 5, "note"),
                        row(1, 2, "item", 3.5, 9, "state", 5, "note"),
                        row(1, 2, "item", 3.5, 4, "states", 5, "note"),
                        row(1, 2, "item", 3.5, 4, "state", 9, "note"),
                        row(1, 2, "item", 3.5, 4, "state", 5, "xote"),
                        row(1, 2, "item", 3.5, 4, "state", 5, "noxe"),
                        row(1, 2, "item", 3.5, 4, "state", 5, ""));

        assertThat(others.stream().map(Checksum::of)).doesNotContain(Checksum.of(ROW));
        assertThat(others.stream().map(Checksum::of)).doesNotHaveDuplicates();
    }

    @Test
    void aFieldInAnotherRowChangesTheSum() {
        OrderRow other = row(8, 7, "more", 6.5, 5, "other", 4, "text");
        OrderRow mixed = row(1, 7, "item", 3.5, 4, "state", 5, "note");
        OrderRow otherMixed = row(8, 2, "more", 6.5, 5, "other", 4, "text");

        assertThat(Checksum.of(mixed) + Checksum.of(otherMixed))
                .isNotEqualTo(Checksum.of(ROW) + Checksum.of(other));
        assertThat(Checksum.ofProjection(mixed) + Checksum.ofProjection(otherMixed))
                .isNotEqualTo(Checksum.ofProjection(ROW) + Checksum.ofProjection(other));
    }

    @Test
    void theProjectionCountsItsColumnsOnly() {
        assertThat(Checksum.ofProjection(row(9, 2, "x", 0, 4, "y", 0, "z")))
                .isEqualTo(Checksum.ofProjection(ROW));
        assertThat(Checksum.ofProjection(row(1, 3, "item", 3.5, 4, "state", 5, "note")))
                .isNotEqualTo(Checksum.ofProjection(ROW));
    }

    private static OrderRow row(
            long order,
            long customer,
            String item,
            double price,
            int quantity,
            String status,
            long time,
            String note) {
        return new OrderRow(
                order, customer, bytes(item), price, quantity, bytes(status), time, bytes(note));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
