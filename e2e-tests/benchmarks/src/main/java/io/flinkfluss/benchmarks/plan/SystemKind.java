package io.flinkfluss.benchmarks.plan;

/** A system whose servers are started. */
public enum SystemKind {
    PRODUCT("flink-fluss"),
    FLUSS("Apache Fluss"),
    KAFKA("Apache Kafka");

    private final String title;

    SystemKind(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
