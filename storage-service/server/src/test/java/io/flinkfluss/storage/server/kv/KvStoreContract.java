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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every key-value store promises. */
abstract class KvStoreContract {
    private static final BucketId BUCKET = BucketId.of(new TableId(3), 0);
    private static final BucketId NEIGHBOUR = BucketId.of(new TableId(3), 1);
    private static final BucketId OTHER_TABLE = BucketId.of(new TableId(4), 0);
    private static final byte[] MARK = {1, 2, 3};

    @TempDir Path folder;

    abstract KvStores stores();

    private KvStore open(Path place) {
        return stores().open(place);
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    private static EncodedRow row(int number) {
        return new EncodedRow(1, ("row " + number).getBytes(StandardCharsets.UTF_8));
    }

    private static void put(KvStore store, BucketId bucket, int from, int to) {
        try (KvChanges changes = store.changes()) {
            for (int i = from; i < to; i++) {
                changes.put(bucket, key(i), row(i));
            }
            store.apply(changes, MARK);
        }
    }

    @Test
    void bucketsAndTablesAreKeptApart() {
        try (KvStore store = open(folder)) {
            put(store, BUCKET, 0, 3);
            put(store, NEIGHBOUR, 1, 2);
            put(store, OTHER_TABLE, 2, 4);

            assertThat(store.get(BUCKET, List.of(key(2), key(9), key(0))))
                    .containsExactly(row(2), null, row(0));
            assertThat(store.getPrefix(BUCKET, new byte[0], 1_000))
                    .containsExactly(row(0), row(1), row(2));
            assertThat(store.getPrefix(NEIGHBOUR, new byte[] {0, 0}, 1_000))
                    .containsExactly(row(1));

            try (KvChanges changes = store.changes()) {
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
        try (KvStore store = open(folder);
                KvChanges changes = store.changes()) {
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
        try (KvStore store = open(folder)) {
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
        try (KvStore store = open(live)) {
            put(store, BUCKET, 0, 3);
            store.checkpoint(checkpoint);
            put(store, BUCKET, 3, 6);
            store.remember(new byte[] {9});
        }

        KvStores.restore(Optional.of(checkpoint), live);

        try (KvStore store = open(live)) {
            assertThat(store.mark()).isEqualTo(MARK);
            assertThat(store.getPrefix(BUCKET, new byte[0], 1_000)).hasSize(3);
        }
    }

    @Test
    void aFlippedByteIsAnErrorThatNamesTheFileAndIsNeverServed() throws IOException {
        Path checkpoint = folder.resolve("checkpoint");
        Path live = folder.resolve("live");
        try (KvStore store = open(live)) {
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
        KvStores.restore(Optional.of(checkpoint), live);

        assertThatThrownBy(
                        () -> {
                            try (KvStore store = open(live)) {
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
        KvStore store = open(folder);
        store.close();
        store.close();

        assertThatThrownBy(() -> store.get(BUCKET, List.of(key(1))))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }

    @Test
    void aRetiredStoreIsReadNoMoreAndAClosedOneHasNoFigures() {
        KvStore store = open(folder);
        put(store, BUCKET, 0, 10);
        assertThat(store.figures().memtableBytes()).isPositive();

        store.retire();

        assertThatThrownBy(() -> store.getPrefix(BUCKET, new byte[0], 1_000))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_READY));
        store.close();
        assertThat(store.figures()).isEqualTo(new KvFigures(0, 0, 0, false, false));
    }

    @Test
    void changesAreSeenOnceTheyAreAppliedAndTheLastOneOfAKeyCounts() {
        try (KvStore store = open(folder);
                KvChanges changes = store.changes()) {
            put(store, BUCKET, 0, 2);
            assertThat(changes.isEmpty()).isTrue();
            changes.delete(BUCKET, key(0));
            changes.put(BUCKET, key(0), row(10));
            changes.put(BUCKET, key(1), row(11));
            changes.delete(BUCKET, key(1));
            changes.delete(BUCKET, key(2));
            assertThat(changes.isEmpty()).isFalse();
            assertThat(store.getPrefix(BUCKET, new byte[0], 1_000)).containsExactly(row(0), row(1));

            store.apply(changes, new byte[] {7});

            assertThat(store.getPrefix(BUCKET, new byte[0], 1_000)).containsExactly(row(10));
            assertThat(store.mark()).containsExactly(7);
        }
    }

    @Test
    void theMarkIsEmptyAtFirstAndCanBeChangedAlone() {
        try (KvStore store = open(folder)) {
            assertThat(store.mark()).isEmpty();
            store.remember(new byte[] {4});
            assertThat(store.mark()).containsExactly(4);
            assertThat(store.getPrefix(BUCKET, new byte[0], 1_000)).isEmpty();
        }
    }

    @Test
    void nothingThatHappensToTheLiveFolderReachesACheckpoint() throws IOException {
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");
        Path live = folder.resolve("live");
        try (KvStore store = open(live)) {
            put(store, BUCKET, 0, 3);
            store.checkpoint(first);
        }
        KvStores.restore(Optional.of(first), live);
        try (KvStore store = open(live)) {
            put(store, BUCKET, 3, 5);
            store.remember(new byte[] {9});
            store.flush();
            store.checkpoint(second);
            put(store, BUCKET, 5, 6);
            store.flush();
        }
        for (Path file : Folders.list(live)) {
            Files.delete(file);
        }

        assertCopy(second, 5, new byte[] {9});
        assertCopy(first, 3, MARK);
    }

    private void assertCopy(Path checkpoint, int rows, byte[] mark) {
        Path live = folder.resolve("live");
        KvStores.restore(Optional.of(checkpoint), live);
        try (KvStore store = open(live)) {
            store.verify();
            assertThat(store.mark()).isEqualTo(mark);
            assertThat(store.getPrefix(BUCKET, new byte[0], 1_000)).hasSize(rows);
        }
    }

    @Test
    void aRestoreFromNothingIsAnEmptyStore() {
        Path live = folder.resolve("live");
        try (KvStore store = open(live)) {
            put(store, BUCKET, 0, 3);
            store.checkpoint(folder.resolve("checkpoint"));
        }

        KvStores.restore(Optional.empty(), live);

        try (KvStore store = open(live)) {
            assertThat(store.mark()).isEmpty();
            assertThat(store.getPrefix(BUCKET, new byte[0], 1_000)).isEmpty();
        }
    }

    @Test
    void aStoreWhoseDataFilesAreMissingIsNotServed() throws IOException {
        Path checkpoint = folder.resolve("checkpoint");
        Path live = folder.resolve("live");
        try (KvStore store = open(live)) {
            put(store, BUCKET, 0, 3);
            store.checkpoint(checkpoint);
        }
        for (Path file : Folders.list(checkpoint)) {
            if (file.toString().endsWith(KvStores.DATA_FILE)) {
                Files.delete(file);
            }
        }
        KvStores.restore(Optional.of(checkpoint), live);

        assertThatThrownBy(
                        () -> {
                            try (KvStore store = open(live)) {
                                store.get(BUCKET, List.of(key(1)));
                            }
                        })
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(KvStores.DATA_FILE);
    }
}
