package io.flinkfluss.benchmarks.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class OrderGeneratorTest {
    private final OrderGenerator generator = new OrderGenerator(1);

    @Test
    void aRowFollowsFromSeedAndNumber() {
        OrderGenerator same = new OrderGenerator(1);
        OrderGenerator other = new OrderGenerator(2);

        assertThat(LongStream.range(0, 1_000))
                .allSatisfy(
                        i -> {
                            long checksum = Checksum.of(generator.row(i));
                            assertThat(Checksum.of(same.row(i))).isEqualTo(checksum);
                            assertThat(Checksum.of(other.row(i))).isNotEqualTo(checksum);
                        });
    }

    @Test
    void fieldsHaveTheirLengthsAndRanges() {
        assertThat(LongStream.range(0, 10_000).mapToObj(generator::row))
                .allSatisfy(
                        row -> {
                            assertThat(row.item()).hasSize(20);
                            assertThat(row.status()).hasSize(8);
                            assertThat(row.note()).hasSize(60);
                            assertThat(row.sizeInBytes()).isEqualTo(124);
                            assertThat(row.customerId()).isBetween(0L, 999_999L);
                            assertThat(row.quantity()).isBetween(1, 64);
                            assertThat(row.price()).isBetween(0.0, 10_000.0);
                        });
    }

    @Test
    void valuesAreManyAndNotTiedToEachOther() {
        Set<String> items = new HashSet<>();
        Set<Integer> quantities = new HashSet<>();
        Set<String> pairs = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            OrderRow row = generator.row(i);
            items.add(text(row.item()));
            quantities.add(row.quantity());
            pairs.add(text(row.status()) + row.quantity());
        }

        assertThat(items).hasSizeGreaterThan(15_000);
        assertThat(quantities).hasSize(64);
        assertThat(pairs).hasSize(8 * 64);
    }

    @Test
    void versionsOfAKeyDiffer() {
        OrderRow first = generator.row(7, 7);
        OrderRow second = generator.row(7, 1_007);

        assertThat(first.orderId()).isEqualTo(7);
        assertThat(second.orderId()).isEqualTo(7);
        assertThat(Checksum.of(second)).isNotEqualTo(Checksum.of(first));
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
