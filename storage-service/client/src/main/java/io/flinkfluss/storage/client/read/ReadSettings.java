package io.flinkfluss.storage.client.read;

import io.flinkfluss.storage.api.record.ReadFrom;
import java.time.Duration;

/**
 * @param streamBytes how much one stream may hold that nobody polled; passed by at most one batch
 * @param totalBytes how much all streams of the client may hold; beyond that each may hold one
 *     batch, so that all make progress
 * @param repairTimeout how long a broken stream may stay broken before its reader gets the error
 * @param readFrom which replicas may answer reads of logs that do not ask for more
 */
public record ReadSettings(
        int streamBytes, long totalBytes, Duration repairTimeout, ReadFrom readFrom) {}
