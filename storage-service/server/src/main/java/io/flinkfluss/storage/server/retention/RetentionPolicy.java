package io.flinkfluss.storage.server.retention;

import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableOption;
import java.time.Duration;

/**
 * What a table's options say about old rows.
 *
 * @param ttlMillis how long rows are kept; 0 for ever
 * @param mostBytes of one bucket's log; 0 without limit
 * @param localTtlMillis how long rows that have a remote copy stay on local disks; 0 for ever
 * @param localSegments that stay on local disks although they have a remote copy
 */
public record RetentionPolicy(
        long ttlMillis, long mostBytes, long localTtlMillis, int localSegments) {
    /**
     * A segment is ended at this part of its time to live, so that rows of quiet buckets expire.
     */
    private static final int ROLLS_PER_TTL = 8;

    static RetentionPolicy of(TableDescriptor table) {
        Duration ttl = table.duration(TableOption.LOG_TTL);
        // A local time that was not set is the table's.
        Duration localTtl =
                table.options().containsKey(TableOption.LOG_LOCAL_TTL.key())
                        ? table.duration(TableOption.LOG_LOCAL_TTL)
                        : ttl;
        return new RetentionPolicy(
                ttl.toMillis(),
                Long.parseLong(table.option(TableOption.LOG_MAX_BYTES)),
                localTtl.toMillis(),
                Integer.parseInt(table.option(TableOption.LOG_LOCAL_SEGMENTS)));
    }

    /** The age at which a segment is ended; {@link Long#MAX_VALUE} for never. */
    long rollAge() {
        long shortest =
                Math.min(
                        ttlMillis == 0 ? Long.MAX_VALUE : ttlMillis,
                        localTtlMillis == 0 ? Long.MAX_VALUE : localTtlMillis);
        return shortest == Long.MAX_VALUE ? shortest : Math.max(1, shortest / ROLLS_PER_TTL);
    }
}
