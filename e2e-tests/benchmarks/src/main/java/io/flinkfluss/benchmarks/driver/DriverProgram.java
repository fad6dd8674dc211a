package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.measure.Curve;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.rows.OrderGenerator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * What the driver of a client library does: connects, and runs the workloads that it is asked for.
 */
public final class DriverProgram implements DriverLoop.Performer {
    private static final long RETRY_NANOS = 10_000_000;

    /** The name of a message that asks the harness to kill the node in the field "node". */
    public static final String KILL = "kill";

    private final SystemConnector connector;
    private final OrderGenerator rows = new OrderGenerator(OrderGenerator.SEED);
    private SystemClient client;

    DriverProgram(SystemConnector connector) {
        this.connector = connector;
    }

    /** Runs until the input ends; then ends the process. */
    public static void main(SystemConnector connector) {
        DriverLoop.main(new DriverProgram(connector));
    }

    @Override
    public void perform(Message request, Consumer<Message> answers) throws Exception {
        switch (request.name()) {
            case "connect" -> connect(request);
            case "first-write" -> firstWrite(request);
            case "log" -> log(request, answers);
            case "keys" -> keys(request, answers);
            case "customers" -> customers(request, answers);
            case "latency" -> latency(request, answers);
            case "cluster-log" -> clusterLog(request, answers);
            case "cluster" -> cluster(request, answers);
            case "growth" -> growth(request, answers);
            default ->
                    throw new IllegalArgumentException(
                            "a driver knows connect, first-write, log, keys, customers, latency,"
                                    + " cluster-log, cluster and growth, not "
                                    + request.name());
        }
    }

    private void connect(Message request) throws Exception {
        String addresses = request.text("addresses");
        Deadline deadline = Deadline.in(Duration.ofSeconds(request.number("patience")));
        Addresses.await(addresses, deadline);
        Servers servers =
                new Servers(addresses, (int) request.number("nodes"), DriverLoop.options(request));
        while (client == null) {
            try {
                client = connector.connect(servers);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception notYet) {
                deadline.check("cannot connect to " + addresses + ": " + notYet);
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private void firstWrite(Message request) throws Exception {
        client.createLog("first", (int) request.number("buckets"));
        try (RowWriter writer = client.appender("first")) {
            writer.write(rows.row(0));
            writer.flush();
        }
    }

    private void log(Message request, Consumer<Message> answers) throws Exception {
        Work work = work(request, answers);
        logs(work, work, request);
    }

    private static void logs(Work work, Work counted, Message request) throws Exception {
        int buckets = (int) request.number("buckets");
        long rows = request.number("rows");
        new LogWorkload(work.silent(), buckets).warmUp("log_warm", request.number("warm-up"), rows);
        new LogWorkload(counted, buckets).run("log", rows);
    }

    private void keys(Message request, Consumer<Message> answers) throws Exception {
        Work work = work(request, answers);
        KeyWorkload.Sizes sizes =
                new KeyWorkload.Sizes(
                        (int) request.number("buckets"),
                        (int) request.number("in-flight"),
                        (int) request.number("singles"),
                        Duration.ofSeconds(request.number("single-seconds")));
        KeyWorkload.Sizes warmUp =
                new KeyWorkload.Sizes(
                        sizes.buckets(), sizes.inFlight(), sizes.singles(), Duration.ofSeconds(1));
        new KeyWorkload(work.silent(), warmUp).run("keys_warm", (int) request.number("warm-up"));
        new KeyWorkload(work, sizes).run("keys", (int) request.number("keys"));
    }

    private void customers(Message request, Consumer<Message> answers) throws Exception {
        Work work = work(request, answers);
        int buckets = (int) request.number("buckets");
        int inFlight = (int) request.number("in-flight");
        new CustomerWorkload(work.silent(), buckets, inFlight)
                .run("customers_warm", (int) request.number("warm-up"));
        new CustomerWorkload(work, buckets, inFlight)
                .run("customers", (int) request.number("customers"));
    }

    private void latency(Message request, Consumer<Message> answers) throws Exception {
        List<String> measures = request.list("measures");
        LatencyWorkload.Pace pace =
                new LatencyWorkload.Pace(
                        (int) request.number("rows-per-second"),
                        (int) request.number("warm-up-seconds"),
                        (int) request.number("seconds"));
        new LatencyWorkload(
                        work(request, answers),
                        pace,
                        Measure.valueOf(measures.get(0)),
                        Measure.valueOf(measures.get(1)))
                .run("latency_" + pace.rowsPerSecond(), (int) request.number("buckets"));
    }

    private void clusterLog(Message request, Consumer<Message> answers) throws Exception {
        Work work = work(request, answers);
        logs(work, work.only(Measure.APPEND, Measure.CLUSTER_APPEND), request);
    }

    private void cluster(Message request, Consumer<Message> answers) throws Exception {
        ClusterWorkload.Phases phases =
                new ClusterWorkload.Phases(
                        (int) request.number("singles"),
                        Duration.ofSeconds(request.number("single-seconds")),
                        Duration.ofMillis(request.number("before-kill-millis")),
                        Duration.ofMillis(request.number("after-resumption-millis")));
        new ClusterWorkload(
                        work(request, answers),
                        phases,
                        node -> answers.accept(Message.of(KILL).with("node", node)))
                .run();
    }

    private void growth(Message request, Consumer<Message> answers) throws Exception {
        GrowthWorkload.Sizes sizes =
                new GrowthWorkload.Sizes(
                        (int) request.number("buckets"),
                        (int) request.number("rows"),
                        (int) request.number("counted"));
        GrowthWorkload growth =
                new GrowthWorkload(
                        work(request, answers), Curve.Way.valueOf(request.text("way")), sizes);
        growth.warmUp((int) request.number("warm-up"));
        growth.run();
    }

    private Work work(Message request, Consumer<Message> answers) {
        return new Work(
                client,
                rows,
                DriverLoop.surroundings(request),
                sample -> answers.accept(SampleForm.message(sample)));
    }
}
