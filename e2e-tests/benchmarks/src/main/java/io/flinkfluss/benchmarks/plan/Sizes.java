package io.flinkfluss.benchmarks.plan;

import java.time.Duration;

/**
 * How much is done in each stage. Every session begins with cold JVMs, so what warms up is long: a
 * just-in-time compiler on two processors takes seconds.
 *
 * @param buckets or partitions of every table
 * @param idle how long servers are left alone before their memory is read
 */
public record Sizes(
        int buckets,
        Duration idle,
        Log log,
        Keys keys,
        Latency latency,
        Latency fast,
        Cluster cluster) {
    /** Rows that are appended and scanned. */
    public record Log(long rows, long warmUpRows) {}

    /**
     * @param count keys that are inserted, updates, and lookups
     * @param inFlight lookups on their way at once
     * @param singles lookups one at a time, for at most so long
     */
    public record Keys(
            int count, int warmUpCount, int inFlight, int singles, Duration singleTime) {}

    /** Seconds at a rate. */
    public record Latency(int rowsPerSecond, int seconds, int warmUpSeconds) {}

    /**
     * @param latency end to end
     * @param singles rows one at a time, for at most so long
     */
    public record Cluster(Log log, Latency latency, int singles, Duration singleTime) {}

    public static final Sizes FULL =
            new Sizes(
                    4,
                    Duration.ofSeconds(10),
                    new Log(5_000_000, 3_000_000),
                    new Keys(1_000_000, 400_000, 512, 3_000, Duration.ofSeconds(8)),
                    new Latency(1_000, 20, 20),
                    new Latency(20_000, 10, 5),
                    new Cluster(
                            new Log(2_000_000, 1_000_000),
                            new Latency(1_000, 15, 10),
                            2_000,
                            Duration.ofSeconds(10)));

    /** For bin/fluss bench --quick. */
    public static final Sizes QUICK =
            new Sizes(
                    4,
                    Duration.ofSeconds(3),
                    new Log(1_000_000, 1_000_000),
                    new Keys(200_000, 100_000, 512, 1_000, Duration.ofSeconds(3)),
                    new Latency(1_000, 5, 6),
                    new Latency(20_000, 3, 2),
                    new Cluster(
                            new Log(500_000, 300_000),
                            new Latency(1_000, 5, 3),
                            500,
                            Duration.ofSeconds(4)));
}
