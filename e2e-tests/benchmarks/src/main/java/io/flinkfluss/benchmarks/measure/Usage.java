package io.flinkfluss.benchmarks.measure;

/**
 * What a measured piece of work took; a part that this machine cannot tell is NaN.
 *
 * @param rows rows, lookups or writes that were done
 * @param seconds on the clock
 * @param clientCpuSeconds of the driver's process
 * @param serverCpuSeconds of all server processes
 * @param otherCpus how many processors everything else kept busy; a run where this is not small is
 *     to be distrusted
 * @param loopbackBytes bytes on the loopback network, counted once
 * @param diskBytes by how much the servers' folders grew, blocks as allocated
 * @param clientMemoryBytes resident at the end
 * @param serverMemoryBytes resident at the end, all servers
 */
public record Usage(
        long rows,
        double seconds,
        double clientCpuSeconds,
        double serverCpuSeconds,
        double otherCpus,
        double loopbackBytes,
        double diskBytes,
        double clientMemoryBytes,
        double serverMemoryBytes) {
    private static final double MICROS_PER_SECOND = 1e6;

    public double rowsPerSecond() {
        return rows / seconds;
    }

    /** Processor time of the driver and all servers. */
    public double cpuMicrosPerRow() {
        return (clientCpuSeconds + serverCpuSeconds) * MICROS_PER_SECOND / rows;
    }

    /** This work and that which was done later, together. */
    public Usage plus(Usage later) {
        return new Usage(
                rows + later.rows,
                seconds + later.seconds,
                clientCpuSeconds + later.clientCpuSeconds,
                serverCpuSeconds + later.serverCpuSeconds,
                (otherCpus * seconds + later.otherCpus * later.seconds) / (seconds + later.seconds),
                loopbackBytes + later.loopbackBytes,
                diskBytes + later.diskBytes,
                later.clientMemoryBytes,
                later.serverMemoryBytes);
    }
}
