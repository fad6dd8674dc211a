package io.flinkfluss.benchmarks.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.benchmarks.driver.WrongAnswerException;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.Checksum;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real Flink jobs from the tables that make rows to those that add them up. */
@Timeout(120)
final class JobsTest {
    private static final int ROWS = 5_000;
    private static final Meter.Surroundings NOBODY = new Meter.Surroundings(List.of(), List.of());
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Jobs jobs =
            new Jobs("CREATE CATALOG fl WITH ('type'='generic_in_memory')", Map.of());
    private final Tables tables = new Tables(jobs, 1, Map.of());

    @Test
    void allRowsComeAsTheyWereMadeInAnyOrder() throws Exception {
        long expected =
                LongStream.range(0, ROWS)
                        .map(i -> Checksum.of(OrdersSource.Shared.ROWS.row(i)))
                        .sum();
        for (boolean shuffled : new boolean[] {false, true}) {
            Tables.Target target = tables.tally(Fields.DDL, true);

            Usage usage = copy(target, Fields.NAMES, tables.orders(ROWS, 0, shuffled));

            assertThat(usage.rows()).isEqualTo(ROWS);
            assertThat(target.tally().checksum()).isEqualTo(expected);
            assertThat(target.tally().expected()).isEqualTo(expected);
        }
    }

    @Test
    void aChangedFieldIsSeen() throws Exception {
        Tables.Target target = tables.tally(Fields.DDL, true);

        copy(
                target,
                Fields.NAMES.replace("qty", "IF(order_id = 17, qty + 1, qty)"),
                tables.orders(ROWS, 0, false));

        assertThat(target.tally().checksum()).isNotEqualTo(target.tally().expected());
    }

    @Test
    void aWrongAnswerToAQueryFails() {
        assertThatThrownBy(() -> jobs.query("SELECT 1", 1, List.of(2), NOBODY))
                .isInstanceOf(WrongAnswerException.class)
                .hasMessageContaining("SELECT 1");
    }

    @Test
    void columnsThatOrdersDoNotHaveAreRefusedWithThoseTheyHave() {
        assertThatThrownBy(() -> new Fields(List.of("colour")))
                .hasMessageContaining("customer_id")
                .hasMessageContaining("colour");
    }

    @Test
    void optionsBecomeHints() {
        assertThat(tables.hints()).isEmpty();
        assertThat(new Tables(jobs, 1, Map.of("a.b", "2ms")).hints())
                .isEqualTo(" /*+ OPTIONS('a.b'='2ms') */");
    }

    private Usage copy(Tables.Target target, String names, String source) throws Exception {
        return jobs.untilSeen(
                        "INSERT INTO %s SELECT %s FROM %s".formatted(target.table(), names, source),
                        target.tally(),
                        ROWS,
                        LONG,
                        NOBODY)
                .usage();
    }
}
