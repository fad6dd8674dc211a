package io.flinkfluss.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.benchmarks.measure.Curve;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.rows.OrderRow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole loop with a system in memory: right answers give figures, wrong ones give none. */
@Timeout(60)
final class DriverProgramTest {
    private static final Message LOG =
            Message.of("log").with("buckets", 2).with("rows", 500).with("warm-up", 10);
    private static final Message KEYS =
            Message.of("keys")
                    .with("buckets", 2)
                    .with("keys", 300)
                    .with("warm-up", 10)
                    .with("in-flight", 16)
                    .with("singles", 20)
                    .with("single-seconds", 5);
    private static final Message CUSTOMERS =
            Message.of("customers")
                    .with("buckets", 2)
                    .with("customers", 30)
                    .with("warm-up", 3)
                    .with("in-flight", 16);
    private static final Message LATENCY =
            Message.of("latency")
                    .with("buckets", 2)
                    .with("rows-per-second", 1_000)
                    .with("seconds", 1)
                    .with("warm-up-seconds", 0)
                    .withAll("measures", List.of(Measure.LATENCY_P50, Measure.LATENCY_P99));

    private static final Message CLUSTER_LOG =
            Message.of("cluster-log").with("buckets", 2).with("rows", 100).with("warm-up", 10);
    private static final Message CLUSTER =
            Message.of("cluster")
                    .with("buckets", 2)
                    .with("singles", 50)
                    .with("single-seconds", 5)
                    .with("before-kill-millis", 1)
                    .with("after-resumption-millis", 1);
    private static final Message GROWTH =
            Message.of("growth")
                    .with("buckets", 2)
                    .with("rows", 8)
                    .with("counted", 80)
                    .with("warm-up", 10);

    @Test
    void aClustersLeaderIsKilledWhileRowsAreWritten() throws Exception {
        List<Message> answers =
                answers(new MemorySystem(rows -> rows, row -> row), CLUSTER_LOG, CLUSTER);

        assertThat(samples(answers).stream().map(Sample::measure))
                .containsExactly(
                        Measure.CLUSTER_APPEND, Measure.CLUSTER_WRITE_P50, Measure.CLUSTER_SILENCE);
        assertThat(answers)
                .contains(Message.of(DriverProgram.KILL).with("node", MemorySystem.LEADER));
    }

    @Test
    void anAcknowledgedRowThatIsLostFailsTheRun() throws Exception {
        UnaryOperator<List<OrderRow>> losing =
                rows -> with(rows.subList(0, rows.size() - 1), rows.get(0));

        assertThat(failure(reading(losing), CLUSTER)).contains("lost is 1, not 0");
    }

    @Test
    void everyWorkloadGivesItsFiguresOnce() throws Exception {
        MemorySystem system = new MemorySystem(rows -> rows, row -> row);

        List<Message> answers = answers(system, LOG, KEYS, CUSTOMERS, LATENCY);

        assertThat(samples(answers).stream().map(Sample::measure))
                .containsExactly(
                        Measure.APPEND,
                        Measure.SCAN,
                        Measure.SCAN_PROJECTED,
                        Measure.SCAN_FILTERED,
                        Measure.INSERT,
                        Measure.UPDATE,
                        Measure.LOOKUP_MANY,
                        Measure.LOOKUP_ONE_P50,
                        Measure.LOOKUP_ONE_P99,
                        Measure.LOOKUP_PREFIX,
                        Measure.LATENCY_P50,
                        Measure.LATENCY_P99);
        assertThat(samples(answers)).allSatisfy(s -> assertThat(s.value()).isPositive());
        assertThat(samples(answers).get(0).usage().rows()).isEqualTo(500);
        assertThat(answers.get(0).name()).isEqualTo("ready");
        assertThat(answers.stream().filter(a -> a.name().equals("done"))).hasSize(5);
        assertThat(system.left()).isEmpty();
    }

    @Test
    void aRowThatIsReadTwiceFailsTheRun() throws Exception {
        assertThat(failure(reading(rows -> with(rows, rows.get(0))), LOG)).contains("wrong answer");
        assertThat(failure(reading(rows -> with(rows, rows.get(0))), LATENCY))
                .contains("a second time");
    }

    @Test
    void aRowWithOtherContentFailsTheRun() throws Exception {
        assertThat(failure(reading(DriverProgramTest::withLastNoteOfFirst), LOG))
                .contains("the checksum of EVERYTHING");
    }

    @Test
    void anOrderThatItsCustomersLookupDoesNotFindFailsTheRun() throws Exception {
        UnaryOperator<OrderRow> losing = row -> row.orderId() == 7 ? null : row;

        assertThat(failure(new MemorySystem(rows -> rows, losing), CUSTOMERS))
                .contains("orders of all customers is 116, not 120");
    }

    @Test
    void anOtherOrderOfACustomerFailsTheRun() throws Exception {
        UnaryOperator<OrderRow> other = row -> row.orderId() == 7 ? row.ofCustomer(-1) : row;

        assertThat(failure(new MemorySystem(rows -> rows, other), CUSTOMERS))
                .contains("the checksum of the orders of all customers");
    }

    @Test
    void growthHasACostForEachStepOfEachCurve() throws Exception {
        for (Curve.Way way : Curve.Way.values()) {
            MemorySystem system = new MemorySystem(rows -> rows, row -> row);

            List<Sample> samples = samples(answers(system, GROWTH.with("way", way)));

            assertThat(samples.stream().map(Sample::measure))
                    .containsExactlyElementsOf(
                            Arrays.stream(Curve.values())
                                    .filter(curve -> curve.way() == way)
                                    .flatMap(curve -> curve.measures().stream())
                                    .toList());
            // Few rows are written ten times; a table of 100 times as many has more than the rest.
            assertThat(samples.stream().map(sample -> sample.usage().rows()))
                    .containsExactly(80L, 80L, 800L, 80L, 80L, 80L, 80L, 80L, 80L);
            assertThat(system.left()).isEmpty();
        }
    }

    @Test
    void growthWithAWrongRowFailsTheRun() throws Exception {
        UnaryOperator<OrderRow> other = row -> row.ofCustomer(-1);

        assertThat(
                        failure(
                                new MemorySystem(rows -> rows, other),
                                GROWTH.with("way", Curve.Way.INSERT)))
                .contains("the checksum of some keys");
    }

    @Test
    void anOldRowFailsTheRun() throws Exception {
        AtomicReference<OrderRow> old = new AtomicReference<>();
        UnaryOperator<OrderRow> first = row -> old.compareAndSet(null, row) ? row : old.get();

        assertThat(failure(new MemorySystem(rows -> rows, first), KEYS))
                .contains("the checksum of all keys");
    }

    @Test
    void aMissingRowFailsTheRun() throws Exception {
        assertThat(failure(new MemorySystem(rows -> rows, row -> null), KEYS)).contains("no row");
    }

    @Test
    void whatIsNotKnownIsRefusedWithWhatIs() throws Exception {
        assertThat(failure(reading(rows -> rows), Message.of("dance"))).contains("not dance");
    }

    private static MemorySystem reading(UnaryOperator<List<OrderRow>> reading) {
        return new MemorySystem(rows -> rows.isEmpty() ? rows : reading.apply(rows), row -> row);
    }

    private static List<OrderRow> with(List<OrderRow> rows, OrderRow more) {
        List<OrderRow> all = new ArrayList<>(rows);
        all.add(more);
        return all;
    }

    private static List<OrderRow> withLastNoteOfFirst(List<OrderRow> rows) {
        List<OrderRow> all = new ArrayList<>(rows);
        OrderRow last = all.remove(all.size() - 1);
        all.add(
                new OrderRow(
                        last.orderId(),
                        last.customerId(),
                        last.item(),
                        last.price(),
                        last.quantity(),
                        last.status(),
                        last.timeMillis(),
                        new byte[60]));
        return all;
    }

    private static String failure(SystemClient system, Message request) throws Exception {
        return answers(system, request).stream()
                .filter(answer -> answer.name().equals("failed"))
                .map(answer -> answer.text("reason"))
                .findFirst()
                .orElse("nothing failed");
    }

    private static List<Sample> samples(List<Message> answers) {
        return answers.stream()
                .filter(answer -> answer.name().equals(SampleForm.NAME))
                .map(SampleForm::sample)
                .toList();
    }

    private static List<Message> answers(SystemClient system, Message... requests)
            throws Exception {
        ByteArrayOutputStream answers = new ByteArrayOutputStream();
        try (ServerSocket port = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                PrintStream output = new PrintStream(answers, true, StandardCharsets.UTF_8)) {
            List<Message> all = new ArrayList<>();
            all.add(
                    Message.of("connect")
                            .with("addresses", "127.0.0.1:" + port.getLocalPort())
                            .with("nodes", 3)
                            .with("option.some.option", "7")
                            .with("patience", 10));
            Collections.addAll(all, requests);
            StringBuilder input = new StringBuilder();
            all.stream()
                    .map(each -> each.withAll("servers", List.of()).withAll("folders", List.of()))
                    .forEach(each -> input.append(each.line()).append('\n'));
            new DriverLoop(new DriverProgram(servers -> connected(system, servers)), output)
                    .serve(
                            new ByteArrayInputStream(
                                    input.toString().getBytes(StandardCharsets.UTF_8)));
        }
        return answers.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> Message.parse(line.substring(DriverLoop.ANSWER.length())))
                .toList();
    }

    private static SystemClient connected(SystemClient system, Servers servers) {
        assertThat(servers.nodes()).isEqualTo(3);
        assertThat(servers.options()).containsExactly(Map.entry("some.option", "7"));
        return system;
    }
}
