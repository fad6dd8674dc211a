package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.KvBatchCursor;
import java.util.ArrayList;
import java.util.List;

/** An upsert batch taken apart: per entry its key, its row (null to delete), and its slot. */
final class PutBatch {
    private final int schemaId;
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> rows = new ArrayList<>();
    private List<RowOverlay.Slot> slots = List.of();

    private PutBatch(int schemaId) {
        this.schemaId = schemaId;
    }

    /**
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA
     */
    static PutBatch parse(KvBatch batch) {
        PutBatch parsed = new PutBatch(batch.schemaId());
        KvBatchCursor cursor = new KvBatchCursor(batch);
        while (cursor.next()) {
            parsed.keys.add(cursor.key());
            parsed.rows.add(cursor.row());
        }
        return parsed;
    }

    int schemaId() {
        return schemaId;
    }

    List<byte[]> keys() {
        return keys;
    }

    List<byte[]> rows() {
        return rows;
    }

    List<RowOverlay.Slot> slots() {
        return slots;
    }

    void slots(List<RowOverlay.Slot> loaded) {
        slots = loaded;
    }
}
