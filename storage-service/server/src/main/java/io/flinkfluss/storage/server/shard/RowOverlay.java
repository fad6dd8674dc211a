package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.server.kv.KvChanges;
import io.flinkfluss.storage.server.kv.KvStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of one bucket as they are during one entry: what was read from the store, and what the
 * commands so far made of it. One thread.
 */
final class RowOverlay {
    private final BucketId bucket;
    private final Map<Key, Slot> slots = new HashMap<>();

    /** A row during the entry. */
    static final class Slot {
        private final byte[] key;
        private EncodedRow row;
        private EncodedRow committed;
        private boolean changed;

        private Slot(byte[] key) {
            this.key = key;
        }

        /** Null when there is none. */
        EncodedRow row() {
            return row;
        }

        void set(EncodedRow newRow) {
            row = newRow;
            changed = true;
        }

        /** Hands the change on, once. */
        void commit(BucketId bucket, KvChanges changes) {
            if (changed) {
                changed = false;
                committed = row;
                if (row != null) {
                    changes.put(bucket, key, row);
                } else {
                    changes.delete(bucket, key);
                }
            }
        }

        /** Forgets the change. */
        void rollBack() {
            changed = false;
            row = committed;
        }
    }

    private record Key(byte[] bytes) implements Comparable<Key> {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public int compareTo(Key other) {
            return Arrays.compareUnsigned(bytes, other.bytes);
        }
    }

    RowOverlay(BucketId bucket) {
        this.bucket = bucket;
    }

    /** One slot per key, in the order of the keys; equal keys share a slot. */
    List<Slot> slots(List<byte[]> keys, KvStore store) {
        List<Slot> asked = new ArrayList<>(keys.size());
        List<Slot> unknown = new ArrayList<>();
        List<byte[]> unknownKeys = new ArrayList<>();
        for (byte[] key : keys) {
            Slot fresh = new Slot(key);
            Slot slot = slots.putIfAbsent(new Key(key), fresh);
            if (slot == null) {
                slot = fresh;
                unknown.add(fresh);
                unknownKeys.add(key);
            }
            asked.add(slot);
        }
        if (!unknown.isEmpty()) {
            List<EncodedRow> rows = store.get(bucket, unknownKeys);
            for (int i = 0; i < rows.size(); i++) {
                unknown.get(i).row = rows.get(i);
                unknown.get(i).committed = rows.get(i);
            }
        }
        return asked;
    }
}
