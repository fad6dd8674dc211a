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
    public double rowsPerSecond() {
        return rows / seconds;
    }
}
