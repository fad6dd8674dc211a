package io.flinkfluss.storage.server.runtime;

import java.time.Duration;

/**
 * When a group's state is made durable, which bounds both its log and the time of a restart.
 *
 * @param bytes after so many bytes were applied
 * @param age or so long after the last one, when anything changed
 */
public record CheckpointPolicy(long bytes, Duration age) {
    /** Whether a checkpoint is due. */
    public boolean isDue(long bytesSince, Duration since) {
        return bytesSince > 0 && (bytesSince >= bytes || since.compareTo(age) >= 0);
    }
}
