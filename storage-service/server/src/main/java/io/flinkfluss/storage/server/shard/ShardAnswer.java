package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.table.BucketId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What became of one {@link ShardCommand}. */
public sealed interface ShardAnswer {

    /** Done, with nothing to tell. */
    record Done() implements ShardAnswer {}

    /** The batch is stored. */
    record Stored(AppendResult result) implements ShardAnswer {}

    /**
     * The snapshot exists.
     *
     * @param logOffsets per bucket of this shard that was ever written; any other bucket is empty
     *     at offset 0
     * @param rowCounts for the same buckets
     */
    record Frozen(Map<BucketId, Long> logOffsets, Map<BucketId, Long> rowCounts)
            implements ShardAnswer {
        public Frozen {
            logOffsets = Collections.unmodifiableMap(new TreeMap<>(logOffsets));
            rowCounts = Collections.unmodifiableMap(new TreeMap<>(rowCounts));
        }
    }

    /** Nothing was changed. */
    record Refused(ErrorCode code, String message) implements ShardAnswer {
        public StorageException toException() {
            return new StorageException(code, message);
        }
    }
}
