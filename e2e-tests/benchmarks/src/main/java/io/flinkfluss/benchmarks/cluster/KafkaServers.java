package io.flinkfluss.benchmarks.cluster;

import io.flinkfluss.benchmarks.plan.SystemKind;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/**
 * Apache Kafka: one broker that is its own controller, with defaults and the flags of its script.
 */
final class KafkaServers implements SystemServers {
    private static final String BROKER = "kafka.Kafka";
    private static final String FORMATTER = "kafka.tools.StorageTool";
    private static final String FORMATTER_HEAP = "256m";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

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
    private final List<Integer> ports = Ports.free(2);
    private final Path data;
    private Path file;
    private List<Long> pids = List.of();

    KafkaServers(Libraries libraries, Processes processes) {
        this.libraries = libraries;
        this.processes = processes;
        data = SystemServers.folder(processes, "data");
    }

    @Override
    public void prepare() {
        String broker = "PLAINTEXT://" + Ports.HOST + ":" + ports.get(0);
        String controller = Ports.HOST + ":" + ports.get(1);
        file =
                SystemServers.write(
                        processes,
                        "server.properties",
                        """
                        process.roles=broker,controller
                        node.id=1
                        controller.quorum.voters=1@%s
                        controller.listener.names=CONTROLLER
                        listeners=%s,CONTROLLER://%s
                        advertised.listeners=%s
                        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                        log.dirs=%s
                        offsets.topic.replication.factor=1
                        transaction.state.log.replication.factor=1
                        transaction.state.log.min.isr=1
                        """
                                .formatted(controller, broker, controller, broker, data));
        processes.program(
                "format",
                java(FORMATTER_HEAP, List.of())
                        .run(
                                libraries.serverClassPath(SystemKind.KAFKA),
                                FORMATTER,
                                List.of("format", "-t", clusterId(), "-c", file.toString())),
                PATIENCE);
    }

    @Override
    public void start() {
        List<String> command =
                java(HEAP, FLAGS)
                        .run(
                                libraries.serverClassPath(SystemKind.KAFKA),
                                BROKER,
                                List.of(file.toString()));
        pids = List.of(processes.server("broker", command).pid());
    }

    private JavaCommand java(String heap, List<String> flags) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(libraries.jvmFlags(SystemKind.KAFKA));
        return new JavaCommand(heap, all, Logging.servers(processes));
    }

    /** 16 random bytes in the form that Kafka takes. */
    private static String clusterId() {
        UUID random = UUID.randomUUID();
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
        bytes.putLong(random.getMostSignificantBits()).putLong(random.getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    @Override
    public String address() {
        return Ports.HOST + ":" + ports.get(0);
    }

    @Override
    public List<Long> pids() {
        return pids;
    }

    @Override
    public List<Path> folders() {
        return List.of(data);
    }
}
