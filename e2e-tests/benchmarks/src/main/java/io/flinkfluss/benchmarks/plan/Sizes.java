package io.flinkfluss.benchmarks.plan;

import java.time.Duration;

/**
 * How much is done in each stage. Every session begins with cold JVMs, so what warms up is long,
 * and as long for every system: on two processors a just-in-time compiler takes a third of a
 * server's time for its first half minute.
 *
 * @param buckets or partitions of every table
 * @param idle how long servers are left alone before their memory is read
 */
public record Sizes(
        int buckets,
        Duration idle,
        Log log,
        Keys keys,
        Customers customers,
        Latency latency,
        Latency fast,
        Sql sql,
        Cluster cluster,
        Growth growth) {
    /** Rows that are appended and scanned. */
    public record Log(long rows, long warmUpRows) {}

    /**
     * @param count keys that are inserted, updates, and lookups
     * @param inFlight lookups on their way at once
     * @param singles lookups one at a time, for at most so long
     */
    public record Keys(
            int count, int warmUpCount, int inFlight, int singles, Duration singleTime) {}

    /** Customers with ten orders each, of whom all are looked up. */
    public record Customers(int count, int warmUpCount) {}

    /** Seconds at a rate; the higher rate comes first, since few rows warm nothing up. */
    public record Latency(int rowsPerSecond, int seconds, int warmUpSeconds) {}

    /**
     * What goes through Flink.
     *
     * @param log rows of a log table, and of one that is copied to the lake
     * @param keys rows of a primary-key table, and probes of the join
     * @param joinTime the longest of the join; what came by then counts
     * @param tail rows that are inserted after all others are in the lake
     */
    public record Sql(Log log, Log keys, Duration joinTime, long tail) {}

    /**
     * @param latency end to end
     * @param singles rows one at a time, for at most so long
     */
    public record Cluster(Log log, Latency latency, int singles, Duration singleTime) {}

    /** How rows are appended and inserted while something grows. */
    public record Growth(Step append, Step insert) {}

    /**
     * Where growth begins.
     *
     * @param rows of the smallest table
     * @param counted rows at each step, more where a table has more
     */
    public record Step(int rows, int counted, int warmUpRows) {}

    public static final Sizes FULL =
            new Sizes(
                    4,
                    Duration.ofSeconds(10),
                    new Log(5_000_000, 30_000_000),
                    new Keys(1_000_000, 1_000_000, 512, 3_000, Duration.ofSeconds(8)),
                    new Customers(50_000, 50_000),
                    new Latency(1_000, 20, 20),
                    new Latency(20_000, 10, 20),
                    new Sql(
                            new Log(3_000_000, 1_500_000),
                            new Log(1_000_000, 500_000),
                            Duration.ofSeconds(20),
                            300_000),
                    new Cluster(
                            new Log(2_000_000, 3_000_000),
                            new Latency(1_000, 15, 10),
                            2_000,
                            Duration.ofSeconds(10)),
                    new Growth(
                            new Step(50_000, 1_000_000, 2_000_000),
                            new Step(10_000, 200_000, 200_000)));

    /** For bin/fluss bench --quick. */
    public static final Sizes QUICK =
            new Sizes(
                    4,
                    Duration.ofSeconds(3),
                    new Log(1_000_000, 1_000_000),
                    new Keys(200_000, 100_000, 512, 1_000, Duration.ofSeconds(3)),
                    new Customers(10_000, 4_000),
                    new Latency(1_000, 5, 6),
                    new Latency(20_000, 3, 2),
                    new Sql(
                            new Log(500_000, 100_000),
                            new Log(200_000, 50_000),
                            Duration.ofSeconds(5),
                            50_000),
                    new Cluster(
                            new Log(500_000, 300_000),
                            new Latency(1_000, 5, 3),
                            500,
                            Duration.ofSeconds(4)),
                    new Growth(
                            new Step(10_000, 200_000, 500_000), new Step(2_000, 40_000, 50_000)));
}
