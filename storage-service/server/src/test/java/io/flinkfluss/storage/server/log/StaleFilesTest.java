package io.flinkfluss.storage.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log store does with files that are newer than the checkpoint it was opened at. */
class StaleFilesTest {
    private static final Column TEXT = Column.of(1, "text", DataType.of(TypeRoot.STRING));
    private static final Schema SCHEMA = new Schema(1, List.of(TEXT), List.of());
    private static final TableId TABLE = new TableId(5);
    private static final BucketId BUCKET = BucketId.of(TABLE, 0);
    private static final int LARGE_SEGMENTS = 1 << 20;
    private static final int SMALL_SEGMENTS = 40 * 1024;

    @TempDir Path folder;
    private final RootAllocator allocator = new RootAllocator();
    private LogStore store;

    @BeforeEach
    void begin() {
        store = open(folder.resolve("log"), LARGE_SEGMENTS);
    }

    @AfterEach
    void close() {
        store.close();
        allocator.close();
    }

    private static LogStore open(Path logs, int segmentBytes) {
        LogConfig config = new LogConfig(segmentBytes, 2);
        return LogStore.open(logs, config, Map.of(), RemoteReads.NONE, Runnable::run);
    }

    private void restart() {
        store.close();
        store = open(folder.resolve("log"), LARGE_SEGMENTS);
    }

    private void append(LogStore to, BucketId bucket, int batches, String text) {
        for (int i = 0; i < batches; i++) {
            ArrowBatch batch;
            try (ArrowBatchWriter writer =
                    new ArrowBatchWriter(SCHEMA, allocator, CompressionSettings.NONE)) {
                writer.write(GenericRow.of(text.repeat(4 * 1024 / text.length()) + i));
                batch = writer.finish();
            }
            BucketLog log = to.obtain(bucket);
            log.append(batch, ByteBuffer.allocate(0), WriterStamp.NONE, 1_000 + i);
            log.publish();
        }
        to.force();
    }

    private static Map<String, String> files(Path root) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (var found = Files.walk(root)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                files.put(root.relativize(file).toString(), HexFormat.of().formatHex(bytes));
            }
        }
        return files;
    }

    private static Object identity(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    @Test
    void aLogThatBeginsAnewIsByteForByteLikeOneInAnEmptyFolder() throws IOException {
        // Given a log with several segments and indexes, all of them newer than the checkpoint
        store.close();
        store = open(folder.resolve("log"), SMALL_SEGMENTS);
        append(store, BUCKET, 60, "before");
        assertThat(files(folder.resolve("log"))).hasSizeGreaterThan(4);
        restart();
        assertThat(store.find(BUCKET)).isEmpty();

        append(store, BUCKET, 3, "after");

        try (LogStore empty = open(folder.resolve("empty"), LARGE_SEGMENTS)) {
            append(empty, BUCKET, 3, "after");
        }
        assertThat(files(folder.resolve("log"))).isEqualTo(files(folder.resolve("empty")));
    }

    @Test
    void itsFolderAndFileAreUsedAgain() throws IOException {
        append(store, BUCKET, 1, "row");
        Path bucket = folder.resolve("log/5/0/0");
        Path segment = bucket.resolve("00000000000000000000.log");
        Object sameFolder = identity(bucket);
        Object sameFile = identity(segment);
        restart();

        append(store, BUCKET, 1, "row");

        assertThat(identity(bucket)).isEqualTo(sameFolder);
        assertThat(identity(segment)).isEqualTo(sameFile);
    }

    @Test
    void aTableThatDoesNotComeBackIsDeletedAndOneThatDoesStays() throws IOException {
        BucketId gone = BucketId.of(new TableId(6), 0);
        append(store, BUCKET, 1, "row");
        append(store, gone, 1, "row");
        restart();
        append(store, BUCKET, 1, "row");
        Map<String, String> replayed = files(folder.resolve("log/5"));

        store.setAsideUnneeded(Set.of(TABLE));
        // It may come back even now, from a leader, and is a new log then.
        append(store, gone, 2, "row");
        store.deleteUnreferenced(() -> Set.of(TABLE, gone.table()));

        assertThat(files(folder.resolve("log/5"))).isEqualTo(replayed);
        assertThat(store.find(gone))
                .hasValueSatisfying(log -> assertThat(log.endOffset()).isEqualTo(2));
        assertThat(files(folder.resolve("log"))).hasSize(2);
        store.deleteUnreferenced(() -> Set.of(TABLE));
        assertThat(folder.resolve("log/6")).doesNotExist();
    }

    @Test
    void whatWasSetAsideBeforeAKillIsDeletedLater() throws IOException {
        append(store, BUCKET, 1, "row");
        restart();
        store.setAsideUnneeded(Set.of());
        append(store, BUCKET, 1, "row");
        restart();
        store.setAsideUnneeded(Set.of());

        store.deleteUnreferenced(Set::of);

        assertThat(files(folder.resolve("log"))).isEmpty();
    }
}
