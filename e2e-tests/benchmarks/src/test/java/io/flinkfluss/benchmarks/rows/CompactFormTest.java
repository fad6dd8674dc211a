package io.flinkfluss.benchmarks.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CompactFormTest {
    @Test
    void aRowIsReadBackAsItWas() {
        OrderGenerator generator = new OrderGenerator(3);
        CompactForm view = new CompactForm();

        for (int i = 0; i < 1_000; i++) {
            OrderRow row = generator.row(i);
            byte[] bytes = CompactForm.encode(row);

            assertThat(bytes).hasSize(row.sizeInBytes() + 6);
            view.of(bytes);
            assertThat(view.orderId()).isEqualTo(row.orderId());
            assertThat(Checksum.of(view)).isEqualTo(Checksum.of(row));
            assertThat(Checksum.ofProjection(view)).isEqualTo(Checksum.ofProjection(row));
        }
    }
}
