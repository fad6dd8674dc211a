package io.flinkfluss.storage.server.replication;

import java.time.Duration;

/**
 * Bounds of a {@link Proposer}.
 *
 * @param entryBytes an entry takes waiting commands up to this size, and at least one
 * @param entriesInFlight entries that may be on their way
 * @param queueBytes commands beyond it are refused with BUSY; callers should hold back long before
 * @param deadline for one entry to be confirmed
 */
public record ProposerLimits(
        int entryBytes, int entriesInFlight, long queueBytes, Duration deadline) {}
