package io.flinkfluss.benchmarks.measure;

import java.nio.file.Path;
import java.util.List;

/** Reads all counters before and after a piece of work in the process that does it. */
public final class Meter {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Surroundings surroundings;
    private final double diskBytes;
    private final double loopbackBytes;
    private final double busySeconds;
    private final double clientCpu;
    private final double serverCpu;
    private final long startNanos;

    /**
     * Whom a piece of work keeps busy besides this process.
     *
     * @param servers their process ids
     * @param folders where they keep data
     */
    public record Surroundings(List<Long> servers, List<Path> folders) {
        public Surroundings {
            servers = List.copyOf(servers);
            folders = List.copyOf(folders);
        }
    }

    private Meter(Surroundings surroundings) {
        this.surroundings = surroundings;
        diskBytes = Readings.diskBytes(surroundings.folders());
        loopbackBytes = Readings.loopbackBytes();
        busySeconds = Readings.busySeconds();
        serverCpu = Readings.cpuSeconds(surroundings.servers());
        clientCpu = Readings.cpuSeconds(self());
        startNanos = System.nanoTime();
    }

    /** The work begins now. */
    public static Meter start(Surroundings surroundings) {
        return new Meter(surroundings);
    }

    /** The work is done. */
    public Usage stop(long rows) {
        double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
        double client = Readings.cpuSeconds(self()) - clientCpu;
        double server = Readings.cpuSeconds(surroundings.servers()) - serverCpu;
        double busy = Readings.busySeconds() - busySeconds;
        return new Usage(
                rows,
                seconds,
                client,
                server,
                Math.max(0, busy - client - server) / seconds,
                Readings.loopbackBytes() - loopbackBytes,
                Readings.diskBytes(surroundings.folders()) - diskBytes,
                Readings.residentBytes(self()),
                Readings.residentBytes(surroundings.servers()));
    }

    private static List<Long> self() {
        return List.of(ProcessHandle.current().pid());
    }
}
