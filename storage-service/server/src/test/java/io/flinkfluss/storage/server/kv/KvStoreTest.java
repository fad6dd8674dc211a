package io.flinkfluss.storage.server.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KvStoreTest {
    private static final BucketId BUCKET = BucketId.of(new TableId(3), 0);
    private static final BucketId NEIGHBOUR = BucketId.of(new TableId(3), 1);
    private static final BucketId OTHER_TABLE = BucketId.of(new TableId(4), 0);
    private static final byte[] MARK = {1, 2, 3};

    @TempDir Path folder;
    private final KvMemory memory = new KvMemory(new KvConfig(8 << 20, 4 << 20));

    @AfterEach
    void close() {
        memory.close();
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    private static EncodedRow row(int number) {
        return new EncodedRow(1, ("row " + number).getBytes(StandardCharsets.UTF_8));
    }

    private static void put(KvStore store, BucketId bucket, int from, int to) {
        try (KvChanges changes = new KvChanges()) {
            for (int i = from; i < to; i++) {
                changes.put(bucket, key(i), row(i));
            }
            store.apply(changes, MARK);
        }
    }

    @Test
    void bucketsAndTablesAreKeptApart() {
        try (KvStore store = KvStore.open(folder, memory)) {
            put(store, BUCKET, 0, 3);
            put(store, NEIGHBOUR, 1, 2);
            put(store, OTHER_TABLE, 2, 4);

            assertThat(store.get(BUCKET, List.of(key(2), key(9), key(0))))
                    .containsExactly(row(2), null, row(0));
            assertThat(store.getPrefix(BUCKET, new byte[0], 1_000))
                    .containsExactly(row(0), row(1), row(2));
            assertThat(store.getPrefix(NEIGHBOUR, new byte[] {0, 0}, 1_000))
                    .containsExactly(row(1));

            try (KvChanges changes = new KvChanges()) {
                changes.deleteTable(BUCKET.table());
                changes.put(BUCKET, key(7), row(7));
                store.apply(changes, MARK);
            }
            assertThat(store.getPrefix(BUCKET, new byte[0], 1_000)).containsExactly(row(7));
            assertThat(store.getPrefix(NEIGHBOUR, new byte[0], 1_000)).isEmpty();
            assertThat(store.getPrefix(OTHER_TABLE, new byte[0], 1_000)).hasSize(2);
        }
    }

    @Test
    void manyKeysAndLargeKeysAndRowsAreRead() {
        byte[] largeKey = new byte[500];
        EncodedRow largeRow = new EncodedRow(7, new byte[3_000]);
        try (KvStore store = KvStore.open(folder, memory);
                KvChanges changes = new KvChanges()) {
            put(store, BUCKET, 0, 700);
            changes.put(BUCKET, largeKey, row(1));
            changes.put(BUCKET, key(650), largeRow);
            store.apply(changes, MARK);
            List<byte[]> keys = new ArrayList<>();
            List<EncodedRow> expected = new ArrayList<>();
            for (int i = 0; i < 800; i++) {
                keys.add(key(i));
                expected.add(i == 650 ? largeRow : i < 700 ? row(i) : null);
            }
            keys.add(300, largeKey);
            expected.add(300, row(1));

            assertThat(store.get(BUCKET, keys)).isEqualTo(expected);
        }
    }

    @Test
    void anAnswerThatWouldBeTooLargeIsRefused() {
        try (KvStore store = KvStore.open(folder, memory)) {
            put(store, BUCKET, 0, 100);

            assertThatThrownBy(() -> store.getPrefix(BUCKET, new byte[0], 50))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.RECORD_TOO_LARGE));
        }
    }

    @Test
    void aCheckpointIsTheStateAndItsMarkAtThatMoment() {
        Path checkpoint = folder.resolve("checkpoint");
        Path live = folder.resolve("live");
        try (KvStore store = KvStore.open(live, memory)) {
            put(store, BUCKET, 0, 3);
            store.checkpoint(checkpoint);
            put(store, BUCKET, 3, 6);
            store.remember(new byte[] {9});
        }

        KvStore.restore(Optional.of(checkpoint), live);

        try (KvStore store = KvStore.open(live, memory)) {
            assertThat(store.mark()).isEqualTo(MARK);
            assertThat(store.getPrefix(BUCKET, new byte[0], 1_000)).hasSize(3);
        }
    }

    @Test
    void aFlippedByteIsAnErrorThatNamesTheFileAndIsNeverServed() throws IOException {
        Path checkpoint = folder.resolve("checkpoint");
        Path live = folder.resolve("live");
        try (KvStore store = KvStore.open(live, memory)) {
            put(store, BUCKET, 0, 1_000);
            store.checkpoint(checkpoint);
        }
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            keys.add(key(i));
        }
        for (Path data : Folders.list(checkpoint)) {
            if (data.toString().endsWith(".sst")) {
                byte[] bytes = Files.readAllBytes(data);
                bytes[100] ^= 8;
                Files.write(data, bytes);
            }
        }
        KvStore.restore(Optional.of(checkpoint), live);

        assertThatThrownBy(
                        () -> {
                            try (KvStore store = KvStore.open(live, memory)) {
                                store.get(BUCKET, keys);
                            }
                        })
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA))
                .hasMessageContaining(".sst");
    }

    @Test
    void aClosedStoreSaysSo() {
        KvStore store = KvStore.open(folder, memory);
        store.close();
        store.close();

        assertThatThrownBy(() -> store.get(BUCKET, List.of(key(1))))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }
}
