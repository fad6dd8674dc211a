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
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.server.kv.KvCursor;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.log.LogCursor;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.SettableClock;
import io.flinkfluss.storage.server.shard.ShardCommand.Append;
import io.flinkfluss.storage.server.shard.ShardCommand.DropTable;
import io.flinkfluss.storage.server.shard.ShardCommand.OpenTable;
import io.flinkfluss.storage.server.shard.ShardCommand.Put;
import io.flinkfluss.storage.server.shard.ShardCommand.ReleaseSnapshot;
import io.flinkfluss.storage.server.shard.ShardCommand.TakeSnapshot;
import io.flinkfluss.storage.server.transfer.CheckpointFetcher;
import io.flinkfluss.storage.server.transfer.FileChunk;
import io.flinkfluss.storage.server.transfer.LocalPeer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One replica's checkpoint becomes another replica's state. */
class ShardInstallTest {
    @TempDir Path leaderFolder;
    @TempDir Path followerFolder;
    @TempDir Path otherFolder;
    private final SettableClock clock = new SettableClock();
    private ShardFixture leader;
    private ShardFixture follower;
    private LocalPeer peer;

    @BeforeEach
    void open() {
        leader = new ShardFixture(leaderFolder);
        follower = new ShardFixture(followerFolder);
        connect();
        both(new OpenTable(EVENTS), new OpenTable(ROWS));
        for (int i = 0; i < 5; i++) {
            both(appended(i, 20), put(i, "a" + i, i + 1, "b" + i));
        }
    }

    @AfterEach
    void close() {
        leader.close();
        follower.close();
    }

    private void connect() {
        peer = new LocalPeer(leader.state().transfer().orElseThrow(), clock);
    }

    private void both(ShardCommand... commands) {
        assertThat(follower.apply(commands)).isEqualTo(leader.apply(commands));
    }

    private Append appended(int sequence, int count) {
        return new Append(EVENTS_0, new WriterStamp(3, sequence), leader.events(0, count));
    }

    private static Put put(Object... keysAndValues) {
        return new Put(ROWS_0, WriterStamp.NONE, rows(keysAndValues));
    }

    /** What the follower does not see. */
    private void leaderGoesOn() {
        for (int i = 5; i < 40; i++) {
            leader.millis += 10;
            leader.apply(appended(i, 30), put(i, "a" + i, i % 7, "c" + i), put(i % 11, null));
        }
        leader.state().checkpoint().join();
    }

    private CheckpointTransfer transfer() {
        return follower.state().transfer().orElseThrow();
    }

    private Position fetch() {
        return new CheckpointFetcher(peer, new Pace(clock, Long.MAX_VALUE), clock)
                .fetch("shard-0", transfer(), 1);
    }

    private void install() {
        follower.installed(follower.state().transfer().orElseThrow().install());
    }

    private void assertEqual() throws IOException {
        assertThat(follower.changelog(ROWS_0)).isEqualTo(leader.changelog(ROWS_0));
        assertThat(follower.current(ROWS_0)).isEqualTo(leader.current(ROWS_0));
        assertThat(follower.current(ROWS_0)).isEqualTo(follower.fold(ROWS_0));
        assertThat(segments(followerFolder)).isEqualTo(segments(leaderFolder));
    }

    private static Map<String, ByteBuffer> segments(Path shard) throws IOException {
        Map<String, ByteBuffer> segments = new TreeMap<>();
        Path logs = shard.resolve("log");
        Files.walkFileTree(
                logs,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        if (file.toString().endsWith(".log")) {
                            segments.put(
                                    logs.relativize(file).toString(),
                                    ByteBuffer.wrap(Files.readAllBytes(file)));
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return segments;
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void aReplicaThatIsFarBehindBecomesEqualAndGoesOn() throws IOException {
        leaderGoesOn();

        assertThat(fetch()).isEqualTo(new Position(1, 40));
        install();

        assertThat(follower.state().restored()).isEqualTo(new Position(1, 40));
        assertEqual();
        assertThat(segments(followerFolder)).hasSizeGreaterThan(3);
        follower.millis = leader.millis;
        both(appended(39, 30), appended(40, 5), put(3, "z", 4, null));
        assertEqual();
        assertThat(followerFolder.resolve("incoming")).doesNotExist();
        assertThat(followerFolder.resolve("swap")).doesNotExist();
    }

    @Test
    void whatWasInstalledSurvivesRestartAndIsCheckpointedFurther() throws IOException {
        leaderGoesOn();
        fetch();
        install();

        assertThat(follower.restart()).isEqualTo(40);

        assertEqual();
        follower.millis = leader.millis;
        both(appended(40, 5), put(3, "z"));
        assertThat(follower.state().checkpoint().join()).isEqualTo(new Position(1, 40));
        assertThat(follower.restart()).isEqualTo(41);
        assertEqual();
    }

    @Test
    void anEmptyReplicaTakesTheWholeCheckpoint() throws IOException {
        leaderGoesOn();
        try (ShardFixture fresh = new ShardFixture(otherFolder)) {
            CheckpointTransfer transfer = fresh.state().transfer().orElseThrow();
            new CheckpointFetcher(peer, new Pace(clock, Long.MAX_VALUE), clock)
                    .fetch("shard-0", transfer, 40);
            fresh.installed(transfer.install());

            assertThat(fresh.reads().tables()).containsExactly(EVENTS.id(), ROWS.id());
            assertThat(fresh.changelog(ROWS_0)).isEqualTo(leader.changelog(ROWS_0));
            assertThat(segments(otherFolder)).isEqualTo(segments(leaderFolder));
        }
    }

    @Test
    void readersGoOnWithTheNewStateAndOpenReadsAreToldToReadAgain() {
        leaderGoesOn();
        ShardReads reads = follower.reads();
        List<String> told = new ArrayList<>();
        reads.onCommit(EVENTS_0, () -> told.add("now"));
        LogCursor open = reads.openLog(new ScanRequest(EVENTS_0, 0, ScanRequest.UNBOUNDED, null));
        assertThat(open.next()).isPresent();
        fetch();
        told.clear();

        install();

        assertThat(told).containsExactly("now");
        assertFails(ErrorCode.NOT_READY, open::next);
        assertThat(reads.logEnd(EVENTS_0)).isEqualTo(leader.reads().logEnd(EVENTS_0));
        assertThat(reads.lookup(ROWS_0, List.of(ShardFixture.key(39))).get(0)).isPresent();
    }

    @Test
    void segmentsThatAreHereAreNotFetched() throws IOException {
        for (int i = 5; i < 30; i++) {
            both(appended(i, 30));
        }
        leader.state().checkpoint().join();
        long all = 0;
        for (ByteBuffer segment : segments(leaderFolder).values()) {
            all += segment.remaining();
        }

        fetch();
        install();

        assertEqual();
        assertThat(all).isGreaterThan(20_000);
        // The manifest and the key-value state.
        assertThat(peer.receivedBytes()).isLessThan(all / 2);
        long received = peer.receivedBytes();
        leader.apply(appended(30, 30));
        leader.state().checkpoint().join();
        fetch();
        assertThat(peer.receivedBytes() - received).isLessThan(all / 2);
    }

    @Test
    void aSegmentThatDiffersIsFetchedAlthoughOneIsHere() throws IOException {
        leaderGoesOn();
        Path first = followerFolder.resolve("log/7/0/0/00000000000000000000.log");
        byte[] bytes = Files.readAllBytes(first);
        bytes[bytes.length - 1] ^= 1;
        Files.write(first, bytes);

        fetch();
        install();

        assertEqual();
    }

    @Test
    void aFlippedByteOnTheWayIsFoundAndTheFileFetchedAgain() throws IOException {
        leaderGoesOn();
        Map<Integer, Integer> times = new HashMap<>();
        peer.spoil(
                chunk -> {
                    if (times.merge(chunk.file(), 1, Integer::sum) > 1) {
                        return chunk;
                    }
                    return flipped(chunk);
                });

        fetch();
        install();

        assertThat(times.values()).contains(2);
        assertEqual();
    }

    private static FileChunk flipped(FileChunk chunk) {
        int middle = chunk.bytes().position() + chunk.bytes().remaining() / 2;
        chunk.bytes().put(middle, (byte) (chunk.bytes().get(middle) ^ 4));
        return chunk;
    }

    @Test
    void bytesThatAreAlwaysWrongAreNeverInstalled() {
        leaderGoesOn();
        peer.spoil(ShardInstallTest::flipped);
        Map<Integer, String> before = follower.current(ROWS_0);

        assertFails(ErrorCode.CORRUPT_DATA, this::fetch);

        assertFails(ErrorCode.CORRUPT_DATA, transfer()::verify);
        assertThat(follower.current(ROWS_0)).isEqualTo(before);
        assertThat(follower.restart()).isEqualTo(-1);
    }

    @Test
    void aBrokenFetchGoesOnWhereItStopped() throws IOException {
        leaderGoesOn();
        // How much it is without any break.
        fetch();
        long whole = peer.receivedBytes();
        Folders.deleteTree(transfer().incoming());
        connect();
        int breaks = 0;
        for (boolean done = false; !done; ) {
            peer.breakAfter(777);
            try {
                fetch();
                done = true;
            } catch (StorageException broken) {
                assertThat(broken.code()).isEqualTo(ErrorCode.UNREACHABLE);
                breaks++;
                if (breaks % 5 == 0) {
                    follower.restart();
                }
            }
        }

        assertThat(breaks).isGreaterThan(5);
        assertThat(peer.receivedBytes()).isEqualTo(whole);
        install();
        assertEqual();
    }

    @Test
    void aFetchGoesOnWithANewerCheckpointWhenTheOtherNodeRestarted() throws IOException {
        leaderGoesOn();
        peer.breakAfter(9_000);
        assertFails(ErrorCode.UNREACHABLE, this::fetch);
        leader.restart();
        leader.millis += 1000;
        leader.apply(appended(40, 9), put(1, "new"), put(2, null));
        leader.state().checkpoint().join();
        connect();

        fetch();
        install();

        assertThat(follower.state().restored()).isEqualTo(new Position(1, 41));
        assertEqual();
    }

    @Test
    void aLeaseEndsByItselfAndFilesStayAsLongAsItLasts() {
        leaderGoesOn();
        var lease = peer.lease("shard-0", 0);
        leader.apply(new DropTable(ROWS.id()));
        for (int i = 0; i < 3; i++) {
            leader.apply(appended(40 + i, 1));
            leader.state().checkpoint().join();
        }
        assertThat(leaderFolder.resolve("log/8")).exists();
        assertThat(leaderFolder.resolve("checkpoints/" + String.format("%020d", 40))).exists();
        clock.advance(Duration.ofSeconds(59));
        peer.leases().expire();
        assertThat(peer.checksums(lease.lease(), List.of(0))).hasSize(1);
        clock.advance(Duration.ofSeconds(61));

        assertFails(ErrorCode.SNAPSHOT_NOT_FOUND, () -> peer.checksums(lease.lease(), List.of(0)));

        peer.leases().expire();
        assertThat(peer.leases().count("shard-0")).isZero();
        leader.apply(appended(43, 1));
        leader.state().checkpoint().join();
        assertThat(leaderFolder.resolve("log/8")).doesNotExist();
        assertThat(leaderFolder.resolve("checkpoints/" + String.format("%020d", 40)))
                .doesNotExist();
    }

    @Test
    void aLeaseThatEndsInTheMiddleIsTakenAgain() throws IOException {
        leaderGoesOn();
        peer.beforeRead(() -> clock.advance(Duration.ofMinutes(5)));
        assertFails(ErrorCode.SNAPSHOT_NOT_FOUND, this::fetch);
        peer.beforeRead(() -> {});

        fetch();
        install();

        assertEqual();
    }

    @Test
    void aCheckpointThatIsTooOldIsNotGiven() {
        leaderGoesOn();

        assertFails(ErrorCode.NOT_READY, () -> peer.lease("shard-0", 41));
        assertFails(ErrorCode.INVALID_REQUEST, () -> peer.lease("shard-9", 0));
        assertThat(peer.leases().count("shard-0")).isZero();
    }

    @Test
    void aReplicaWithoutAnySoundCheckpointIsFetchedBeforeItOpens() throws IOException {
        follower.state().checkpoint().join();
        leaderGoesOn();
        follower.stop();
        Path checkpoint = Folders.list(followerFolder.resolve("checkpoints")).get(0);
        Files.write(checkpoint.resolve("manifest"), new byte[30]);
        assertFails(ErrorCode.CORRUPT_DATA, follower::open);
        CheckpointTransfer receiver = ShardState.receiver(followerFolder);
        assertThat(receiver.hold()).isEmpty();

        new CheckpointFetcher(peer, new Pace(clock, Long.MAX_VALUE), clock)
                .fetch("shard-0", receiver, 5);
        receiver.install();
        follower.open();

        assertThat(follower.state().restored()).isEqualTo(new Position(1, 40));
        assertEqual();
    }

    @Test
    void snapshotsOfScansComeAlong() {
        both(new TakeSnapshot(ROWS.id(), 11), new TakeSnapshot(ROWS.id(), 12));
        int rows = countRows(leader, 11);
        leaderGoesOn();
        leader.apply(new ReleaseSnapshot(12));

        fetch();
        install();

        assertThat(countRows(follower, 11)).isEqualTo(rows);
        follower.apply(new ReleaseSnapshot(12));
        assertFails(ErrorCode.SNAPSHOT_NOT_FOUND, () -> countRows(follower, 12));
    }

    @Test
    void aSnapshotReleasedDuringTheFetchDoesNotStopIt() throws IOException {
        both(new TakeSnapshot(ROWS.id(), 11));
        leaderGoesOn();
        peer.beforeRead(
                () ->
                        leader.state()
                                .apply(
                                        new Position(1, 41),
                                        leader.millis,
                                        ShardCommands.encode(List.of(new ReleaseSnapshot(11)))));

        fetch();
        install();

        assertThat(followerFolder.resolve("snapshots/11")).doesNotExist();
        assertThat(follower.current(ROWS_0)).isEqualTo(leader.current(ROWS_0));
    }

    private static int countRows(ShardFixture shard, long snapshot) {
        KvScanRequest request = new KvScanRequest(ROWS_0, snapshot, new byte[0], null);
        try (KvCursor cursor = shard.reads().openKv(request, shard.millis)) {
            return cursor.next().orElseThrow().rowCount();
        }
    }

    @Test
    void aSwapThatWasBrokenOffAnywhereLeavesTheOldOrTheNewState() throws IOException {
        follower.state().checkpoint().join();
        leaderGoesOn();
        fetch();
        Map<Integer, String> old = follower.current(ROWS_0);
        follower.stop();
        ShardFolder folder = new ShardFolder(followerFolder);
        int steps = folder.steps(40).size();
        for (int done = 0; done <= steps; done++) {
            Path copy = otherFolder.resolve("after-" + done);
            copy(followerFolder, copy);
            for (ShardFolder.Step step : new ShardFolder(copy).steps(40).subList(0, done)) {
                step.run();
            }
            if (done < steps) {
                breakOffInTheMiddle(copy, done);
            }

            try (ShardFixture opened = new ShardFixture(copy)) {
                if (done == 0) {
                    assertThat(opened.state().restored()).isEqualTo(new Position(1, 5));
                    assertThat(opened.current(ROWS_0)).isEqualTo(old);
                } else {
                    assertThat(opened.state().restored()).isEqualTo(new Position(1, 40));
                    assertThat(opened.current(ROWS_0)).isEqualTo(leader.current(ROWS_0));
                    assertThat(opened.changelog(ROWS_0)).isEqualTo(leader.changelog(ROWS_0));
                    assertThat(segments(copy)).isEqualTo(segments(leaderFolder));
                }
            }
        }
        follower.open();
    }

    /** What the next step leaves when the process ends while it deletes a folder. */
    private static void breakOffInTheMiddle(Path shard, int nextStep) throws IOException {
        switch (nextStep) {
            case 0 -> Files.writeString(shard.resolve("swap.unfinished"), "4");
            case 1 -> deleteSome(shard.resolve("kv"));
            case 2 -> deleteSome(shard.resolve("log"));
            case 3 -> deleteSome(shard.resolve("snapshots"));
            case 4 -> deleteSome(shard.resolve("checkpoints"));
            default -> {}
        }
    }

    private static void deleteSome(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        files.add(file);
                        return FileVisitResult.CONTINUE;
                    }
                });
        for (int i = 0; i < files.size(); i += 2) {
            Files.delete(files.get(i));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(
                from,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path visited, BasicFileAttributes attributes) throws IOException {
                        Files.createDirectories(to.resolve(from.relativize(visited).toString()));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.copy(file, to.resolve(from.relativize(file).toString()));
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
