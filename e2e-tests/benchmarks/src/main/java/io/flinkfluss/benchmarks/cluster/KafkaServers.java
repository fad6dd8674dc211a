package io.flinkfluss.benchmarks.cluster;

import io.flinkfluss.benchmarks.plan.SystemKind;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Apache Kafka: brokers that are controllers too, with defaults and the flags of their script. With
 * several nodes two replicas must be in sync, as with its peers.
 */
final class KafkaServers implements SystemServers {
    private static final String BROKER = "kafka.Kafka";
    private static final String FORMATTER = "kafka.tools.StorageTool";
    private static final String FORMATTER_HEAP = "256m";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PORTS_PER_NODE = 2;

    /**
     * What kafka-run-class.sh gives a broker; without them it would be slower than its users see.
     */
    private static final List<String> FLAGS =
            List.of(
                    "-server",
                    "-XX:+UseG1GC",
                    "-XX:MaxGCPauseMillis=20",
                    "-XX:InitiatingHeapOccupancyPercent=35",
                    "-XX:+ExplicitGCInvokesConcurrent",
                    "-Djava.awt.headless=true");

    private final Libraries libraries;
    private final Processes processes;
    private final Layout layout;
    private final List<Integer> ports;
    private final Path data;
    private final List<Path> files = new ArrayList<>();
    private final List<Long> pids = new ArrayList<>();

    KafkaServers(Libraries libraries, Processes processes, Layout layout) {
        this.libraries = libraries;
        this.processes = processes;
        this.layout = layout;
        ports = Ports.free(PORTS_PER_NODE * layout.nodes());
        data = SystemServers.folder(processes, "data");
    }

    @Override
    public void prepare() {
        String clusterId = clusterId();
        for (int node = 1; node <= layout.nodes(); node++) {
            Path file =
                    SystemServers.write(processes, "server" + node + ".properties", settings(node));
            files.add(file);
            processes.program(
                    "format" + node,
                    java(FORMATTER_HEAP, List.of())
                            .run(
                                    libraries.serverClassPath(SystemKind.KAFKA),
                                    FORMATTER,
                                    List.of("format", "-t", clusterId, "-c", file.toString())),
                    PATIENCE);
        }
    }

    private String settings(int node) {
        String voters =
                nodes().mapToObj(voter -> voter + "@" + controller(voter))
                        .collect(Collectors.joining(","));
        String broker = "PLAINTEXT://" + broker(node);
        StringBuilder text = new StringBuilder();
        text.append(
                """
                process.roles=broker,controller
                node.id=%d
                controller.quorum.voters=%s
                controller.listener.names=CONTROLLER
                listeners=%s,CONTROLLER://%s
                advertised.listeners=%s
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                log.dirs=%s
                """
                        .formatted(
                                node,
                                voters,
                                broker,
                                controller(node),
                                broker,
                                data.resolve(name(node))));
        int needed = Math.min(2, layout.nodes());
        text.append("default.replication.factor=%d\n".formatted(layout.nodes()));
        text.append("min.insync.replicas=%d\n".formatted(needed));
        text.append("offsets.topic.replication.factor=%d\n".formatted(layout.nodes()));
        text.append("transaction.state.log.replication.factor=%d\n".formatted(layout.nodes()));
        text.append("transaction.state.log.min.isr=%d\n".formatted(needed));
        layout.options().forEach((key, value) -> text.append("%s=%s\n".formatted(key, value)));
        return text.toString();
    }

    @Override
    public void start() {
        for (int node = 1; node <= layout.nodes(); node++) {
            List<String> command =
                    java(layout.heap(), FLAGS)
                            .run(
                                    libraries.serverClassPath(SystemKind.KAFKA),
                                    BROKER,
                                    List.of(files.get(node - 1).toString()));
            pids.add(processes.server(name(node), command).pid());
        }
    }

    private JavaCommand java(String heap, List<String> flags) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(libraries.jvmFlags(SystemKind.KAFKA));
        return new JavaCommand(heap, all, Logging.servers(processes));
    }

    /** 16 random bytes in the form that Kafka takes, which must not begin with a minus. */
    private static String clusterId() {
        UUID random = UUID.randomUUID();
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
        bytes.putLong(random.getMostSignificantBits() >>> 1)
                .putLong(random.getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    private IntStream nodes() {
        return IntStream.rangeClosed(1, layout.nodes());
    }

    private static String name(int node) {
        return "broker" + node;
    }

    private String broker(int node) {
        return Ports.HOST + ":" + ports.get(PORTS_PER_NODE * (node - 1));
    }

    private String controller(int node) {
        return Ports.HOST + ":" + ports.get(PORTS_PER_NODE * (node - 1) + 1);
    }

    @Override
    public String addresses() {
        return nodes().mapToObj(this::broker).collect(Collectors.joining(","));
    }

    @Override
    public void kill(int node) {
        processes.kill(name(node));
    }

    @Override
    public List<Long> pids() {
        return List.copyOf(pids);
    }

    @Override
    public Path warehouse() {
        throw new UnsupportedOperationException("Kafka has no lake");
    }

    @Override
    public List<Path> folders() {
        return List.of(data);
    }
}
