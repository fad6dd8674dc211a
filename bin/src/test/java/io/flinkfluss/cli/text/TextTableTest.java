package io.flinkfluss.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void numbersAreAlignedRightAndTextLeft() {
        TextTable table = TextTable.of("name", "rows");
        table.add("flights", 150000);
        table.add(Arrays.asList("x", null));

        assertThat(table.render())
                .isEqualTo(
                        """
                          +---------+--------+
                          | name    | rows   |
                          +---------+--------+
                          | flights | 150000 |
                          | x       | null   |
                          +---------+--------+
                        """);
    }

    @Test
    void longTextIsShortened() {
        TextTable table = TextTable.of("text");
        table.add("x".repeat(100));

        assertThat(table.render()).contains("x".repeat(59) + "…").doesNotContain("x".repeat(60));
    }
}
