package io.flinkfluss.benchmarks.plan;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** A system with settings of its client and, where that is the only way, of its servers. */
public enum Contender {
    PRODUCT(SystemKind.PRODUCT, "flink-fluss", defaults(EnumSet.allOf(Stage.class))),
    FLUSS(
            SystemKind.FLUSS,
            "Fluss, defaults",
            defaults(EnumSet.complementOf(EnumSet.of(Stage.GROWTH)))),
    /** Without the waits that are the defaults of its client, as far as that helps. */
    FLUSS_TUNED(
            SystemKind.FLUSS,
            "Fluss, tuned",
            Map.of(
                    Stage.LOG,
                    Map.of("client.scanner.log.fetch.wait-max-time", "10ms"),
                    Stage.KEYS,
                    Map.of("client.lookup.batch-timeout", "2ms"),
                    Stage.LATENCY,
                    Map.of(
                            "client.writer.batch-timeout",
                            "0ms",
                            "client.scanner.log.fetch.wait-max-time",
                            "5ms"),
                    Stage.SQL,
                    Map.of(
                            "client.scanner.log.fetch.wait-max-time",
                            "10ms",
                            "client.lookup.batch-timeout",
                            "2ms",
                            "flink.table.exec.async-lookup.buffer-capacity",
                            "1024"),
                    Stage.CLUSTER,
                    Map.of("client.scanner.log.fetch.wait-max-time", "5ms"))),
    KAFKA(
            SystemKind.KAFKA,
            "Kafka, defaults",
            Map.of(
                    Stage.START,
                    Map.of(),
                    Stage.LOG,
                    Map.of(),
                    Stage.LATENCY,
                    Map.of(),
                    Stage.CLUSTER,
                    Map.of())),
    KAFKA_WITHOUT_LINGER(
            SystemKind.KAFKA,
            "Kafka, linger 0",
            Map.of(Stage.LATENCY, Map.of("producer.linger.ms", "0")));

    private final SystemKind system;
    private final String title;
    private final Map<Stage, Map<String, String>> options;

    Contender(SystemKind system, String title, Map<Stage, Map<String, String>> options) {
        this.system = system;
        this.title = title;
        this.options = new EnumMap<>(options);
    }

    public SystemKind system() {
        return system;
    }

    public String title() {
        return title;
    }

    /** Whether it has what the stage needs, and settings that make a difference there. */
    public boolean takesPartIn(Stage stage) {
        return options.containsKey(stage);
    }

    /** Options of the client, by the system's own names. */
    public Map<String, String> options(Stage stage) {
        return options.getOrDefault(stage, Map.of());
    }

    /** Options of the servers that are not defaults, by the system's own names. */
    public Map<String, String> serverOptions(Stage stage) {
        return this == FLUSS_TUNED && stage == Stage.CLUSTER
                ? Map.of("log.replica.fetch.wait-max-time", "5ms")
                : Map.of();
    }

    private static Map<Stage, Map<String, String>> defaults(Set<Stage> stages) {
        Map<Stage, Map<String, String>> defaults = new EnumMap<>(Stage.class);
        stages.forEach(stage -> defaults.put(stage, Map.of()));
        return defaults;
    }

    /** This product and what stands for these peers. */
    public static Set<Contender> of(Set<SystemKind> peers) {
        Set<Contender> contenders = EnumSet.of(PRODUCT);
        for (Contender contender : values()) {
            if (peers.contains(contender.system)) {
                contenders.add(contender);
            }
        }
        return contenders;
    }
}
