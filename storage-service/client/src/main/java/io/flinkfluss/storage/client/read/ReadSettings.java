package io.flinkfluss.storage.client.read;

import java.time.Duration;

/**
 * @param bufferBytes how much one stream may hold that nobody polled; passed by at most one batch
 * @param repairTimeout how long a broken stream may go without a batch before its reader gets the
 *     error
 */
public record ReadSettings(int bufferBytes, Duration repairTimeout) {}
