package io.flinkfluss.verify.fault;

/**
 * A fault that happened.
 *
 * @param target what it hit
 * @param silenceMillis the longest time that any shard did not acknowledge, from its beginning to
 *     its end
 * @param majority whether a majority of nodes was running and connected all the time, so that the
 *     silence is a failover
 * @param healed whether all was well again in time; if not, the run is over
 * @param note what else is worth telling, empty for nothing
 */
public record FaultRecord(
        PlannedFault planned,
        double atSeconds,
        String target,
        long silenceMillis,
        boolean majority,
        boolean healed,
        String note) {}
