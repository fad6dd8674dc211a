package io.flinkfluss.storage.server.shard;

import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS;
import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS_0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.log.LogCursor;
import io.flinkfluss.storage.server.remote.FaultyFolderIO;
import io.flinkfluss.storage.server.remote.RemoteBlocks;
import io.flinkfluss.storage.server.remote.RemoteLog;
import io.flinkfluss.storage.server.remote.RemoteLogCounters;
import io.flinkfluss.storage.server.remote.RemoteLogSettings;
import io.flinkfluss.storage.server.remote.RemoteStorage;
import io.flinkfluss.storage.server.remote.SegmentUploads;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.SettableClock;
import io.flinkfluss.storage.server.runtime.SteadyTime;
import io.flinkfluss.storage.server.shard.ShardCommand.Append;
import io.flinkfluss.storage.server.shard.ShardCommand.DropTable;
import io.flinkfluss.storage.server.shard.ShardCommand.OpenTable;
import io.flinkfluss.storage.server.shard.ShardCommand.TrimLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a real shard's segments in a folder that can be cut off. */
class RemoteLogTest {
    private static final Duration GRACE = Duration.ofHours(1);

    @TempDir Path folder;
    private Path remoteFolder;
    private RemoteStorage storage;
    private ShardFixture shard;
    private KeptShard kept;
    private final SettableClock clock = new SettableClock();
    private final RemoteLogCounters counters = new RemoteLogCounters();
    private RemoteLog log;
    private long nextId;

    @BeforeEach
    void open() {
        clock.advance(Duration.ofDays(1));
        FaultyFolderIO.setReachable(true);
        remoteFolder = folder.resolve("remote");
        storage =
                RemoteStorage.open(
                        "faulty://" + remoteFolder,
                        Map.of("io-impl", FaultyFolderIO.class.getName()));
        shard =
                new ShardFixture(
                        folder.resolve("shard"), new RemoteBlocks(storage, Runnable::run, 1));
        kept = new KeptShard(shard);
        log = remoteLog(kept, "n1");
        shard.apply(new OpenTable(EVENTS));
    }

    @AfterEach
    void close() {
        FaultyFolderIO.setReachable(true);
        shard.close();
        storage.close();
    }

    private RemoteLog remoteLog(KeptShard on, String node) {
        return new RemoteLog(
                on,
                storage,
                new SegmentUploads(storage, Runnable::run, new Pace(clock, Long.MAX_VALUE), node),
                new RemoteLogSettings(node, 100, GRACE),
                counters,
                new SteadyTime(clock));
    }

    private void append(int batches) {
        for (int i = 0; i < batches; i++) {
            shard.apply(new Append(EVENTS_0, WriterStamp.NONE, shard.events(nextId, 40)));
            nextId += 40;
        }
    }

    /** Gives up local copies, durably. */
    private void evict() {
        shard.apply(new TrimLog(EVENTS_0, 0, Long.MAX_VALUE));
        deleteFiles();
    }

    /** Two checkpoints later nothing needs what was given up. */
    private void deleteFiles() {
        for (int i = 0; i < 3; i++) {
            append(1);
            shard.state().checkpoint().join();
        }
    }

    private List<Path> localSegments() throws IOException {
        return Folders.list(folder.resolve("shard/log/7/0/0")).stream()
                .filter(file -> file.toString().endsWith(".log"))
                .toList();
    }

    private List<Path> objects() throws IOException {
        return Folders.filesBelow(remoteFolder);
    }

    private LogCursor cursor(long from, int... columns) {
        return shard.reads()
                .openLog(
                        new ScanRequest(
                                EVENTS_0,
                                from,
                                ScanRequest.UNBOUNDED,
                                columns.length == 0 ? null : columns));
    }

    /** Every batch up to the log's end, asking again while blocks are being fetched. */
    private List<LogBatch> readAll(LogCursor cursor) {
        List<LogBatch> batches = new ArrayList<>();
        long end = shard.reads().logEnd(EVENTS_0);
        for (int asked = 0; cursor.nextOffset() < end; asked++) {
            assertThat(asked).as("fetches without an end").isLessThan(10_000);
            cursor.next().ifPresent(batches::add);
        }
        return batches;
    }

    private void assertEverythingIsRead(long from, int... columns) {
        try (LogCursor cursor = cursor(from, columns)) {
            long next = from;
            for (LogBatch batch : readAll(cursor)) {
                assertThat(batch.baseOffset()).isLessThanOrEqualTo(next);
                assertThat(batch.nextOffset()).isGreaterThan(next);
                next = batch.nextOffset();
            }
            assertThat(next).isEqualTo(nextId);
        }
    }

    @Test
    void readersGoOnFromRemoteIntoLocalSegments() throws IOException {
        append(30);
        int before = localSegments().size();
        List<LogBatch> expected = shard.read(EVENTS_0, 0);
        List<LogBatch> projected = shard.read(EVENTS_0, 0, 2, 0);
        log.step();
        evict();

        assertThat(objects()).hasSize(before - 1);
        assertThat(localSegments().size()).isLessThan(before);
        assertThat(readAll(cursor(0)).subList(0, expected.size())).isEqualTo(expected);
        assertThat(readAll(cursor(0, 2, 0)).subList(0, projected.size())).isEqualTo(projected);
        for (long from = 0; from < nextId; from += 37) {
            assertEverythingIsRead(from);
        }
        assertThat(counters.copies()).isEqualTo(before - 1);
        assertThat(counters.copiedBytes()).isPositive();
    }

    @Test
    void readingInTheMiddleTakesFewRequests() throws IOException {
        append(30);
        log.step();
        evict();
        long before = FaultyFolderIO.requests();
        try (LogCursor cursor = cursor(45)) {
            while (cursor.next().isEmpty()) {
                assertThat(FaultyFolderIO.requests() - before).isLessThanOrEqualTo(2);
            }
        }
    }

    @Test
    void timesAreFoundInRemoteSegments() {
        append(1);
        shard.millis += 1_000;
        long later = nextId;
        append(20);
        log.step();
        evict();

        assertThat(shard.reads().offsetAt(EVENTS_0, shard.millis)).isEqualTo(later);
        assertThat(shard.reads().offsetAt(EVENTS_0, shard.millis - 1)).isEqualTo(later);
        assertThat(shard.reads().offsetAt(EVENTS_0, 0)).isZero();
    }

    @Test
    void aRestartKnowsWhatIsRemote() throws IOException {
        append(20);
        log.step();
        evict();
        int local = localSegments().size();
        shard.restart();

        assertThat(localSegments()).hasSizeLessThanOrEqualTo(local);
        assertEverythingIsRead(0);
    }

    @Test
    void aPowerCutThatUndoesSomeDeletionsOfFilesIsHarmless() throws IOException {
        append(30);
        log.step();
        List<Path> all = localSegments();
        List<byte[]> contents = new ArrayList<>();
        for (Path file : all) {
            contents.add(Files.readAllBytes(file));
        }
        evict();
        for (int undone : new int[] {0, 2, 3, 5}) {
            shard.stop();
            Files.write(all.get(undone), contents.get(undone));
            shard.open();

            assertEverythingIsRead(0);
            assertEverythingIsRead(all.size() * 7L);
        }
    }

    @Test
    void aCrashBetweenAnyTwoStepsOfCopyingAndGivingUpLosesNothing() throws IOException {
        append(30);
        ShardCommand evictAll = new TrimLog(EVENTS_0, 0, Long.MAX_VALUE);
        shard.state().checkpoint().join();

        kept.loss = KeptShard.Loss.OF_COMMAND;
        log.step();
        shard.restart();
        assertEverythingIsRead(0);

        log = remoteLog(kept, "n1-again");
        log.step();
        shard.restart();
        assertThat(shard.state().logs().remoteObjects()).as("comes again by replay").isEmpty();
        assertEverythingIsRead(0);

        kept.proposed.stream()
                .filter(
                        command ->
                                command instanceof ShardCommand.AddRemoteSegment add
                                        && add.segment().name().contains("n1-again"))
                .forEach(shard::apply);
        shard.apply(evictAll);
        shard.state().checkpoint().join();
        shard.restart();
        assertThat(shard.state().logs().remoteObjects()).isNotEmpty();
        assertEverythingIsRead(0);

        evict();
        shard.restart();
        assertEverythingIsRead(0);
    }

    @Test
    void aReaderInAFileThatIsGivenUpGoesOnInItsCopy() {
        append(20);
        log.step();
        try (LogCursor cursor = cursor(0)) {
            long next = cursor.next().orElseThrow().nextOffset();
            evict();
            for (LogBatch batch : readAll(cursor)) {
                assertThat(batch.baseOffset()).isEqualTo(next);
                next = batch.nextOffset();
            }
            assertThat(next).isEqualTo(nextId);
        }
    }

    @Test
    void aReaderOfRemoteRowsThatAreGivenUpGoesOnUntilTheObjectIsDeleted() throws IOException {
        append(20);
        log.step();
        evict();
        try (LogCursor cursor = cursor(0);
                LogCursor late = cursor(0)) {
            while (cursor.next().isEmpty() || late.next().isEmpty()) {
                assertThat(cursor.nextOffset()).isLessThan(nextId);
            }
            shard.apply(new TrimLog(EVENTS_0, shard.reads().logEnd(EVENTS_0), 0));
            long next = cursor.nextOffset();
            for (LogBatch batch : readAll(cursor)) {
                assertThat(batch.baseOffset()).isEqualTo(next);
                next = batch.nextOffset();
            }
            sweep();
            assertThat(objects()).isEmpty();
            deleteFiles();

            assertThatThrownBy(() -> readAll(late))
                    .hasMessageContaining("was deleted by retention");
        }
    }

    /** Long enough for what is unknown to be deleted. */
    private void sweep() {
        log.step();
        clock.advance(GRACE);
        log.step();
        clock.advance(GRACE);
        log.step();
    }

    @Test
    void whileRemoteStorageIsDownWritesGoOnAndNothingLeavesTheLocalDisk() throws IOException {
        append(20);
        FaultyFolderIO.setReachable(false);
        log.step();
        int proposed = kept.proposed.size();
        log.step();
        append(20);
        evict();

        assertThat(kept.proposed).as("left alone after a failure").hasSize(proposed).isEmpty();
        assertThat(counters.copyErrors()).isPositive();
        assertEverythingIsRead(0);

        FaultyFolderIO.setReachable(true);
        clock.advance(Duration.ofSeconds(2));
        log.step();
        evict();
        assertThat(objects()).isNotEmpty();
        assertThat(localSegments().size()).isLessThan(objects().size());
        assertEverythingIsRead(0);
    }

    @Test
    void aReaderIsToldThatRemoteStorageIsDownAndMayTryAgain() {
        append(20);
        log.step();
        evict();
        FaultyFolderIO.setReachable(false);
        try (LogCursor cursor = cursor(0)) {
            assertThatThrownBy(() -> readAll(cursor))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("connection refused")
                    .extracting(error -> ((StorageException) error).code())
                    .isEqualTo(ErrorCode.UNREACHABLE);
            FaultyFolderIO.setReachable(true);
            assertThat(readAll(cursor)).isNotEmpty();
        }
    }

    @Test
    void anUploadWhoseLeaderWasReplacedIsNeitherKnownTwiceNorAnOrphanForEver() throws IOException {
        append(8);
        kept.loss = KeptShard.Loss.OF_COMMAND;
        log.step();
        int uploaded = objects().size();
        KeptShard next = new KeptShard(shard);
        RemoteLog successor = remoteLog(next, "n2");
        successor.step();
        assertThat(objects().size()).as("the first attempt is still there").isGreaterThan(uploaded);
        int both = objects().size();

        // The old leader does not know yet that it was replaced.
        kept.followed = false;
        sweep();
        assertThat(objects()).as("only a leader deletes").hasSize(both);

        log = successor;
        sweep();
        assertThat(objects()).hasSize(shard.state().logs().remoteObjects().size());
        evict();
        assertEverythingIsRead(0);
    }

    @Test
    void aCopyWhoseAnswerWasLostStaysKnown() throws IOException {
        append(8);
        kept.loss = KeptShard.Loss.OF_ANSWER;
        log.step();
        clock.advance(Duration.ofSeconds(2));
        sweep();

        assertThat(objects()).hasSize(shard.state().logs().remoteObjects().size());
        evict();
        assertEverythingIsRead(0);
    }

    @Test
    void theSlowerOfTwoUploadsIsDeletedAtOnce() throws IOException {
        append(8);
        ShardCommand.AddRemoteSegment[] slow = new ShardCommand.AddRemoteSegment[1];
        kept.loss = KeptShard.Loss.OF_COMMAND;
        log.step();
        slow[0] = (ShardCommand.AddRemoteSegment) kept.proposed.get(0);
        remoteLog(new KeptShard(shard), "n2").step();

        assertThat(shard.apply(slow[0]).get(0)).isInstanceOf(ShardAnswer.Refused.class);
        assertThat(shard.state().logs().remoteObjects()).doesNotContain(slow[0].segment().name());
    }

    @Test
    void aFlippedByteInRemoteStorageIsNamedAndNeverServed() throws IOException {
        append(20);
        log.step();
        evict();
        Path damaged = objects().get(1);
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[bytes.length / 3] ^= 4;
        Files.write(damaged, bytes);

        List<LogBatch> read = new ArrayList<>();
        try (LogCursor cursor = cursor(0)) {
            assertThatThrownBy(
                            () -> {
                                while (cursor.nextOffset() < nextId) {
                                    cursor.next().ifPresent(read::add);
                                }
                            })
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("remote segment")
                    .hasMessageContaining(damaged.getFileName().toString())
                    .extracting(error -> ((StorageException) error).code())
                    .isEqualTo(ErrorCode.CORRUPT_DATA);
        }
        assertThat(read).isNotEmpty();
        assertThat(read.get(read.size() - 1).nextOffset()).isLessThan(nextId);
    }

    @Test
    void aDamagedLocalSegmentIsNotCopied() throws IOException {
        append(20);
        Path damaged = localSegments().get(0);
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[bytes.length / 3] ^= 4;
        Files.write(damaged, bytes);
        log.step();

        assertThat(shard.state().logs().remoteObjects()).isEmpty();
        assertThat(counters.copyErrors()).isPositive();
    }

    @Test
    void objectsOfGivenUpRowsAndDroppedTablesAreDeletedAfterAWhile() throws IOException {
        append(20);
        log.step();
        int copied = objects().size();
        shard.apply(new TrimLog(EVENTS_0, 200, 200));
        log.step();
        assertThat(objects()).as("within the grace period").hasSize(copied);
        sweep();
        assertThat(objects().size())
                .isLessThan(copied)
                .isEqualTo(shard.state().logs().remoteObjects().size());

        shard.apply(new DropTable(EVENTS.id()));
        sweep();
        assertThat(objects()).isEmpty();
    }

    @Test
    void anUnfinishedObjectOfACrashIsDeleted() throws IOException {
        append(20);
        log.step();
        Path torn = objects().get(0).resolveSibling("torn.segment.unfinished");
        Files.write(torn, new byte[100]);
        sweep();

        assertThat(torn).doesNotExist();
        assertThat(objects()).isNotEmpty();
    }

    @Test
    void aNodeThatDoesNotLeadCopiesNothing() throws IOException {
        append(20);
        kept.leads = false;
        log.step();

        assertThat(objects()).isEmpty();
        assertThat(Optional.of(kept.proposed)).contains(List.of());
    }
}
