package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.rows.OrderGenerator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The loop of a driver's process: takes a {@link Message} a line, does what it says, and answers
 * with any number of samples and then {@code done} or {@code failed}. Ends with its input, and ends
 * the servers too.
 */
public final class DriverProgram {
    private static final long SEED = 42;
    private static final int CONNECT_MILLIS = 500;
    private static final long RETRY_NANOS = 10_000_000;

    /** Begins each answer; other lines on standard output are what the JVM itself has to say. */
    public static final String ANSWER = "answer: ";

    /** The name of a message that asks the harness to kill the node in the field "node". */
    public static final String KILL = "kill";

    /** Marks the fields of a connect message that are options of the client. */
    public static final String OPTION_PREFIX = "option.";

    private final SystemConnector connector;
    private final PrintStream answers;
    private final OrderGenerator rows = new OrderGenerator(SEED);
    private List<Long> processes = List.of();
    private SystemClient client;

    DriverProgram(SystemConnector connector, PrintStream answers) {
        this.connector = connector;
        this.answers = answers;
    }

    /** Runs until the input ends; then ends the process, whatever threads a client left behind. */
    public static void main(SystemConnector connector) {
        PrintStream answers = System.out;
        // A client's library may print; only answers go to the harness.
        System.setOut(System.err);
        int status = 0;
        try {
            new DriverProgram(connector, answers).serve(System.in);
        } catch (Throwable e) {
            // A client's threads would keep a process alive that answers nobody any more.
            e.printStackTrace();
            status = 1;
        }
        System.exit(status);
    }

    void serve(InputStream requests) throws IOException {
        answer(Message.of("ready"));
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(requests, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try {
                perform(Message.parse(line));
                answer(Message.of("done"));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Exception e) {
                e.printStackTrace(System.err);
                answer(Message.of("failed").with("reason", e));
            }
        }
        // The harness kills drivers before it ends; it is gone and cannot end the servers.
        for (long server : processes) {
            ProcessHandle.of(server).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private void perform(Message request) throws Exception {
        switch (request.name()) {
            case "connect" -> connect(request);
            case "first-write" -> firstWrite(request);
            case "log" -> log(request);
            case "keys" -> keys(request);
            case "latency" -> latency(request);
            case "cluster-log" -> clusterLog(request);
            case "cluster" -> cluster(request);
            default ->
                    throw new IllegalArgumentException(
                            "a driver knows connect, first-write, log, keys, latency, cluster-log and"
                                    + " cluster, not "
                                    + request.name());
        }
    }

    private void connect(Message request) throws Exception {
        String addresses = request.text("addresses");
        processes = servers(request);
        Map<String, String> options = new LinkedHashMap<>();
        request.fields()
                .forEach(
                        (key, value) -> {
                            if (key.startsWith(OPTION_PREFIX)) {
                                options.put(key.substring(OPTION_PREFIX.length()), value);
                            }
                        });
        Deadline deadline = Deadline.in(Duration.ofSeconds(request.number("patience")));
        for (String address : addresses.split(",")) {
            awaitPort(address, deadline);
        }
        Servers servers = new Servers(addresses, (int) request.number("nodes"), options);
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

    /**
     * A port that refuses is asked often and costs nothing; a client that is refused may back off.
     */
    private static void awaitPort(String address, Deadline deadline) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
                return;
            } catch (IOException notYet) {
                deadline.check("nobody listens on " + address);
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

    private void log(Message request) throws Exception {
        Work work = work(request);
        int buckets = (int) request.number("buckets");
        new LogWorkload(work.silent(), buckets).run("log_warm", request.number("warm-up"));
        new LogWorkload(work, buckets).run("log", request.number("rows"));
    }

    private void keys(Message request) throws Exception {
        Work work = work(request);
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

    private void latency(Message request) throws Exception {
        List<String> measures = request.list("measures");
        LatencyWorkload.Pace pace =
                new LatencyWorkload.Pace(
                        (int) request.number("rows-per-second"),
                        (int) request.number("warm-up-seconds"),
                        (int) request.number("seconds"));
        new LatencyWorkload(
                        work(request),
                        pace,
                        Measure.valueOf(measures.get(0)),
                        Measure.valueOf(measures.get(1)))
                .run("latency_" + pace.rowsPerSecond(), (int) request.number("buckets"));
    }

    private void clusterLog(Message request) throws Exception {
        Work work = work(request);
        int buckets = (int) request.number("buckets");
        new LogWorkload(work.silent(), buckets).run("log_warm", request.number("warm-up"));
        Work append = work.only(Measure.APPEND, Measure.CLUSTER_APPEND);
        new LogWorkload(append, buckets).run("log", request.number("rows"));
    }

    private void cluster(Message request) throws Exception {
        ClusterWorkload.Phases phases =
                new ClusterWorkload.Phases(
                        (int) request.number("singles"),
                        Duration.ofSeconds(request.number("single-seconds")),
                        Duration.ofMillis(request.number("before-kill-millis")),
                        Duration.ofMillis(request.number("after-resumption-millis")));
        new ClusterWorkload(
                        work(request), phases, node -> answer(Message.of(KILL).with("node", node)))
                .run();
    }

    private Work work(Message request) {
        return new Work(
                client,
                rows,
                new Meter.Surroundings(
                        servers(request), request.list("folders").stream().map(Path::of).toList()),
                sample -> answer(SampleForm.message(sample)));
    }

    private static List<Long> servers(Message request) {
        return request.list("servers").stream().map(Long::valueOf).toList();
    }

    private void answer(Message message) {
        answers.println(ANSWER + message.line());
        answers.flush();
    }
}
