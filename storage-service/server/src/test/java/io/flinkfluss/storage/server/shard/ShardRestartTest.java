package io.flinkfluss.storage.server.shard;

import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS;
import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS_0;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS_0;
import static io.flinkfluss.storage.server.shard.ShardFixture.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.server.kv.KvCursor;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.shard.ShardCommand.Append;
import io.flinkfluss.storage.server.shard.ShardCommand.DropTable;
import io.flinkfluss.storage.server.shard.ShardCommand.OpenTable;
import io.flinkfluss.storage.server.shard.ShardCommand.Put;
import io.flinkfluss.storage.server.shard.ShardCommand.TakeSnapshot;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardRestartTest {
    @TempDir Path folder;
    private ShardFixture shard;

    @BeforeEach
    void open() {
        shard = new ShardFixture(folder);
        shard.apply(new OpenTable(EVENTS), new OpenTable(ROWS));
    }

    @AfterEach
    void close() {
        shard.close();
    }

    private Append append(WriterStamp stamp, int rows) {
        return new Append(EVENTS_0, stamp, shard.events(0, rows));
    }

    private static Put put(Object... keysAndValues) {
        return new Put(ROWS_0, WriterStamp.NONE, rows(keysAndValues));
    }

    private List<Path> checkpoints() throws IOException {
        return Folders.list(folder.resolve("checkpoints"));
    }

    @Test
    void withoutACheckpointEverythingComesFromTheLog() {
        shard.apply(append(WriterStamp.NONE, 3), put(1, "a"));

        assertThat(shard.restart()).isEqualTo(-1);

        assertThat(shard.state().restored()).isEqualTo(Position.NONE);
        assertThat(shard.reads().tables()).isEmpty();
        shard.apply(new OpenTable(EVENTS), new OpenTable(ROWS));
        assertThat(shard.reads().logEnd(EVENTS_0)).isZero();
        assertThat(shard.current(ROWS_0)).isEmpty();
    }

    @Test
    void aRestartGoesBackToTheCheckpoint() throws IOException {
        shard.apply(append(WriterStamp.NONE, 3), put(1, "a"));
        shard.state().checkpoint().join();
        shard.apply(append(WriterStamp.NONE, 3), put(1, "b", 2, "c"));

        assertThat(shard.restart()).isEqualTo(1);

        assertThat(shard.reads().logEnd(EVENTS_0)).isEqualTo(3);
        assertThat(shard.current(ROWS_0)).isEqualTo(Map.of(1, "1 a"));
        assertThat(shard.changelog(ROWS_0)).containsExactly("+I 1 a");
        assertThat(shard.apply(append(WriterStamp.NONE, 1)))
                .containsExactly(new ShardAnswer.Stored(new AppendResult(3, false)));
    }

    @Test
    void twoCheckpointsAreKeptAndTheLogIsNeededFromTheOlder() throws IOException {
        assertThat(shard.state().checkpoint().join()).isEqualTo(Position.NONE);
        assertThat(shard.state().checkpoint().join()).isEqualTo(Position.NONE);
        shard.apply(put(1, "a"));
        assertThat(shard.state().checkpoint().join()).isEqualTo(new Position(1, 0));
        shard.apply(put(1, "b"));
        assertThat(shard.state().checkpoint().join()).isEqualTo(new Position(1, 1));

        assertThat(checkpoints()).hasSize(2);
        assertThat(shard.restart()).isEqualTo(2);
    }

    @Test
    void duplicatesAreKnownAcrossRestart() {
        shard.apply(append(WriterStamp.NONE, 2), append(new WriterStamp(3, 0), 4));
        shard.state().checkpoint().join();
        shard.restart();

        assertThat(shard.apply(append(new WriterStamp(3, 0), 4), append(new WriterStamp(3, 1), 1)))
                .containsExactly(
                        new ShardAnswer.Stored(new AppendResult(2, true)),
                        new ShardAnswer.Stored(new AppendResult(6, false)));
    }

    @Test
    void aSnapshotSurvivesRestartAndIsTakenAgainByReplay() {
        shard.apply(put(1, "a"));
        ShardAnswer first = shard.apply(new TakeSnapshot(ROWS.id(), 1)).get(0);
        shard.state().checkpoint().join();
        shard.apply(put(1, "b", 2, "c"));
        ShardAnswer second = shard.apply(new TakeSnapshot(ROWS.id(), 2)).get(0);
        shard.restart();

        assertThat(countRows(1)).isEqualTo(1);
        assertThatThrownBy(() -> countRows(2)).isInstanceOf(StorageException.class);
        shard.apply(put(1, "b", 2, "c"));
        assertThat(shard.apply(new TakeSnapshot(ROWS.id(), 2), new TakeSnapshot(ROWS.id(), 1)))
                .containsExactly(second, first);
        assertThat(countRows(2)).isEqualTo(2);
    }

    /** O-24. */
    @Test
    void rowsAreCountedRightlyAfterDeletesAndRestarts() {
        shard.apply(put(1, "a", 2, "b", 3, "c", 4, "d", 5, "e"));
        shard.state().checkpoint().join();
        shard.apply(put(1, null, 2, null, 3, "changed"));
        assertThat(counted(1)).isEqualTo(3);

        shard.restart();
        shard.apply(put(1, null, 2, null, 3, "changed"));
        assertThat(counted(2)).as("after replay").isEqualTo(3);
        shard.state().checkpoint().join();
        shard.restart();
        assertThat(counted(3)).as("from the checkpoint").isEqualTo(3);
    }

    private long counted(long snapshot) {
        ShardAnswer answer = shard.apply(new TakeSnapshot(ROWS.id(), snapshot)).get(0);
        return ((ShardAnswer.Frozen) answer).rowCounts().get(ROWS_0);
    }

    /** O-22: the end of the newest log file is cut off, by each length. */
    @Test
    void aLogWithoutItsEndIsReplayedFromTheOlderCheckpoint() throws IOException {
        for (int cut = 1; cut <= 60; cut++) {
            shard.apply(append(WriterStamp.NONE, 3));
            shard.state().checkpoint().join();
            shard.apply(append(WriterStamp.NONE, 2));
            shard.state().checkpoint().join();
            long end = shard.reads().logEnd(EVENTS_0);
            shard.stop();
            List<Path> segments =
                    Folders.filesBelow(folder.resolve("log/7")).stream()
                            .filter(file -> file.toString().endsWith(".log"))
                            .toList();
            Path newest = segments.get(segments.size() - 1);
            try (FileChannel file = FileChannel.open(newest, StandardOpenOption.WRITE)) {
                file.truncate(file.size() - cut);
            }

            shard.open();

            assertThat(shard.reads().logEnd(EVENTS_0)).as("cut by " + cut).isEqualTo(end - 2);
            shard.apply(append(WriterStamp.NONE, 2));
            long next = 0;
            for (LogBatch batch : shard.read(EVENTS_0, 0)) {
                assertThat(batch.baseOffset()).isEqualTo(next);
                next = batch.nextOffset();
            }
            assertThat(next).isEqualTo(end);
        }
    }

    private int countRows(long snapshot) {
        KvScanRequest request = new KvScanRequest(ROWS_0, snapshot, new byte[0], null);
        try (KvCursor cursor = shard.reads().openKv(request, shard.millis)) {
            return cursor.next().orElseThrow().rowCount();
        }
    }

    @Test
    void everyFlippedByteOfAManifestIsFoundAndTheOlderCheckpointIsUsed() throws IOException {
        shard.apply(put(1, "a"));
        shard.state().checkpoint().join();
        shard.apply(put(1, "b"));
        shard.state().checkpoint().join();
        shard.stop();
        Path newest = checkpoints().get(1);
        byte[] good = Files.readAllBytes(newest.resolve("manifest"));
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 0x10;
            Files.write(newest.resolve("manifest"), bad);
            assertThat(Checkpoints.open(folder.resolve("checkpoints")).newest())
                    .isEqualTo(new Position(1, 1));
        }

        shard.open();

        assertThat(shard.state().restored()).isEqualTo(new Position(1, 1));
        assertThat(shard.current(ROWS_0)).isEqualTo(Map.of(1, "1 a"));
        assertThat(shard.changelog(ROWS_0)).containsExactly("+I 1 a");
        shard.apply(put(1, "b"));
        shard.state().checkpoint().join();
        assertThat(shard.restart()).isEqualTo(2);
        assertThat(shard.current(ROWS_0)).isEqualTo(Map.of(1, "1 b"));
    }

    @Test
    void aDamagedKvFileOfACheckpointMakesTheOlderOneBeUsed() throws IOException {
        shard.apply(put(1, "a"));
        shard.state().checkpoint().join();
        shard.apply(put(1, "b"));
        shard.state().checkpoint().join();
        shard.stop();
        Path kv = checkpoints().get(1).resolve("kv");
        flip(kv.resolve("CURRENT"), 3);

        shard.open();

        assertThat(shard.state().restored()).isEqualTo(new Position(1, 1));
    }

    @Test
    void aDamagedDataFileThatWasNoticedMakesTheNextStartReadAllAndUseTheOlder() throws IOException {
        shard.apply(put(1, "a"));
        shard.state().checkpoint().join();
        // Not to be compressed, so that the damaged byte is in a row and not in the file's index.
        shard.apply(put(2, digits(3000)));
        shard.state().checkpoint().join();
        shard.stop();
        Path older = checkpoints().get(0).resolve("kv");
        for (Path file : Folders.list(checkpoints().get(1).resolve("kv"))) {
            if (file.toString().endsWith(".sst")
                    && Files.size(file) > 2000
                    && !Files.exists(older.resolve(file.getFileName()))) {
                flip(file, 1000);
            }
        }
        // Data is not read at a start, or its time would grow with the data.
        shard.open();
        assertThat(shard.state().restored()).isEqualTo(new Position(1, 2));

        assertThatThrownBy(() -> shard.apply(put(2, "c")))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA));
        shard.restart();

        assertThat(shard.state().restored()).isEqualTo(new Position(1, 1));
        assertThat(shard.current(ROWS_0)).isEqualTo(Map.of(1, "1 a"));
        assertThat(folder.resolve("damaged")).doesNotExist();
    }

    private static String digits(int count) {
        StringBuilder text = new StringBuilder();
        new Random(5)
                .ints(count, 0, 36)
                .forEach(digit -> text.append(Character.forDigit(digit, 36)));
        return text.toString();
    }

    @Test
    void withoutAnyUsableCheckpointItRefusesToStart() throws IOException {
        shard.state().checkpoint().join();
        shard.stop();
        Path manifest = checkpoints().get(0).resolve("manifest");
        flip(manifest, 20);

        assertThatThrownBy(() -> shard.open())
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA))
                .hasMessageContaining(manifest.toString());

        flip(manifest, 20);
        shard.open();
    }

    @Test
    void aShortenedSegmentIsRepairedFromTheOlderCheckpointAndTheLog() throws IOException {
        shard.apply(append(WriterStamp.NONE, 3));
        shard.state().checkpoint().join();
        shard.apply(append(WriterStamp.NONE, 3));
        shard.state().checkpoint().join();
        shard.stop();
        Path segment = folder.resolve("log/7/0/0/00000000000000000000.log");
        byte[] bytes = Files.readAllBytes(segment);
        Files.write(segment, Arrays.copyOf(bytes, bytes.length - 5));

        shard.open();

        assertThat(shard.state().restored()).isEqualTo(new Position(1, 1));
        shard.apply(append(WriterStamp.NONE, 3));
        assertThat(segment).hasBinaryContent(bytes);
    }

    @Test
    void filesOfADroppedTableStayWhileACheckpointKnowsIt() {
        shard.apply(put(1, "a"));
        shard.state().checkpoint().join();
        shard.apply(new DropTable(ROWS.id()));
        shard.restart();
        assertThat(shard.current(ROWS_0)).isEqualTo(Map.of(1, "1 a"));

        shard.apply(new DropTable(ROWS.id()));
        shard.state().checkpoint().join();
        assertThat(folder.resolve("log/8")).exists();
        shard.apply(append(WriterStamp.NONE, 1));
        shard.state().checkpoint().join();
        assertThat(folder.resolve("log/8")).doesNotExist();
        assertThat(shard.restart()).isEqualTo(3);
        assertThat(shard.reads().tables()).containsExactly(EVENTS.id());
    }

    private static void flip(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 1;
        Files.write(file, bytes, StandardOpenOption.TRUNCATE_EXISTING);
    }
}
