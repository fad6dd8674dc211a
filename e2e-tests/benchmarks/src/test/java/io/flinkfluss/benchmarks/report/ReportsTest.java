package io.flinkfluss.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.benchmarks.measure.Curve;
import io.flinkfluss.benchmarks.plan.Contender;
import io.flinkfluss.benchmarks.plan.Sizes;
import io.flinkfluss.benchmarks.plan.SystemKind;
import io.flinkfluss.benchmarks.plan.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReportsTest {
    private static final Conditions CONDITIONS =
            new Conditions(
                    Instant.parse("2026-11-30T01:02:03Z"),
                    "abc1234",
                    new Machine("A \"fast\" one", 2, 23.5, "Linux 6", "Java 17", "ext4", 0.5),
                    Map.of(SystemKind.FLUSS, "0.9.1-incubating"),
                    Sizes.QUICK,
                    List.of(Workload.W1, Workload.W2),
                    2,
                    "2g",
                    "bin/fluss bench --seed 7");
    private static final Results RESULTS =
            new Results(
                    List.of(
                            Outcomes.append(1, Contender.PRODUCT, 1_200_000),
                            Outcomes.append(1, Contender.FLUSS, 1_000_000),
                            Outcomes.append(1, Contender.KAFKA, 600_000),
                            Outcomes.append(2, Contender.PRODUCT, 1_400_000),
                            Outcomes.append(2, Contender.FLUSS, 1_000_000),
                            Outcomes.failed(2, Contender.KAFKA, 1)));
    private static final Results GROWTH =
            new Results(
                    List.of(
                            Outcomes.growth(1, Curve.APPEND_TABLES, 2, 3, 2.5),
                            Outcomes.growth(1, Curve.INSERT_ROWS, 10, 12, 20),
                            Outcomes.growth(2, Curve.APPEND_TABLES, 4, 5, 4.6)));

    @Test
    void theTableSaysWhoIsAheadByHowMuchAndWhetherThatIsEnough() {
        String text = new MarkdownReport(CONDITIONS, RESULTS).text();

        assertThat(text)
                .contains(
                        "| W1 | append, rows/s | 1,300,000 | Fluss, defaults | 1,000,000 | 1.3 (1.2"
                                + " to 1.4) | ≥ 1.5 | **not met** |")
                .contains("| Kafka, defaults | 600,000 | 2 (2 to 2) | ≥ 1.5 | met |")
                .contains("| append | flink-fluss | 3 | 4 | 50 | 60 | 70 | – | 0.25 |")
                .doesNotContain("| W2 |");
    }

    @Test
    void growthHasItsCurves() {
        String text = new MarkdownReport(CONDITIONS, GROWTH).text();

        assertThat(text)
                .contains(
                        "| tables | append | 3 (500,000) | 4 (500,000) | 3.55 (500,000) | 1.2 (1.15"
                                + " to 1.25) | ≤ 1.3 | met |")
                .contains("| 20 (500,000) | 2 (2 to 2) | ≤ 1.3 | **not met** |")
                .doesNotContain("| buckets |");
        assertThat(new MarkdownReport(CONDITIONS, RESULTS).text()).doesNotContain("grows");
        assertThat(JsonReport.text(CONDITIONS, GROWTH))
                .contains("\"curve\":\"APPEND_TABLES\",\"scales\":[1,10,100]")
                .contains("\"target\":1.3,\"met\":true");
    }

    @Test
    void theConditionsAreSaid() {
        assertThat(new MarkdownReport(CONDITIONS, RESULTS).text())
                .contains("2026-11-30 01:02 UTC, commit abc1234")
                .contains("Apache Fluss 0.9.1-incubating")
                .contains("A \"fast\" one")
                .contains("2 rounds")
                .contains("`bin/fluss bench --seed 7`");
    }

    @Test
    void aFailureIsSaidInTheReport() {
        assertThat(new MarkdownReport(CONDITIONS, RESULTS).text())
                .contains("**Failed**: LOG of Kafka, defaults in round 2: wrong answer");
    }

    @Test
    void jsonHasEveryFigure() {
        assertThat(JsonReport.text(CONDITIONS, RESULTS))
                .contains("\"processor\":\"A \\\"fast\\\" one\"")
                .contains("\"peer\":\"FLUSS\",\"rounds\":2")
                .contains("\"target\":1.5,\"met\":false")
                .contains("\"server_memory_bytes\":null")
                .contains("\"failure\":\"wrong answer: the checksum is 1, not 2\"");
    }

    @Test
    void thePageKeepsWhatPeopleWroteAndOtherFigures() {
        String page = "# Title\n<!-- the next figures come here -->\nafter\n";
        List<Workload> some = List.of(Workload.W1, Workload.W2);

        String first = BenchmarkPage.replace(page, some, "old\n");
        String both = BenchmarkPage.replace(first, List.of(Workload.W7), "other\n");
        String again = BenchmarkPage.replace(both, some, "new\n");

        assertThat(both)
                .startsWith("# Title\n")
                .contains("### W1, W2\n\nold\n", "### W7\n\nother\n")
                .endsWith("after\n");
        assertThat(again).isEqualTo(both.replace("old", "new"));
        assertThatThrownBy(() -> BenchmarkPage.replace("# Title", some, "new"))
                .hasMessageContaining("the next figures come here");
        assertThatThrownBy(
                        () ->
                                BenchmarkPage.replace(
                                        first.replaceAll("<!-- end.*", ""), some, "new"))
                .hasMessageContaining("end of the figures of W1, W2");
    }
}
