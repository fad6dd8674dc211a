package io.flinkfluss.storage.server.runtime;

import java.time.Duration;

/**
 * The checkpoints that one process made of a group.
 *
 * @param age since the last one, or since the start
 * @param last how long the last one took
 */
public record CheckpointFigures(long made, long failed, Duration age, Duration last) {}
