package io.flinkfluss.storage.server.runtime;

import java.time.Duration;

/**
 * When a group's state is made durable, which bounds both its log and the time of a restart.
 *
 * @param bytes after so many bytes were applied
 * @param replayTime after applying took so much processor time, because a restart would have to do
 *     it again; but for this alone checkpoints take at most a quarter of the time
 * @param age so long after the last one, when anything changed
 */
public record CheckpointPolicy(long bytes, Duration replayTime, Duration age) {
    private static final int REST = 3;

    /**
     * What is not in a checkpoint.
     *
     * @param bytes that were applied
     * @param applyTime the processor time that this took
     * @param time since the last checkpoint was begun
     */
    record Unsaved(long bytes, Duration applyTime, Duration time) {}

    /**
     * Whether a checkpoint is due.
     *
     * @param last how long the last one took
     */
    boolean isDue(Unsaved unsaved, Duration last) {
        return unsaved.bytes() > 0
                && (unsaved.bytes() >= bytes
                        || unsaved.time().compareTo(age) >= 0
                        || isSlowToReplay(unsaved, last));
    }

    private boolean isSlowToReplay(Unsaved unsaved, Duration last) {
        return unsaved.applyTime().compareTo(replayTime) >= 0
                && unsaved.time().compareTo(last.multipliedBy(1 + REST)) >= 0;
    }
}
