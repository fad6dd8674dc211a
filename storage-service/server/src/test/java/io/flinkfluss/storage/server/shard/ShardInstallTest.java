package io.flinkfluss.storage.server.shard;

import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS;
import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS_0;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS_0;
import static io.flinkfluss.storage.server.shard.ShardFixture.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.server.kv.KvCursor;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.log.LogCursor;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.shard.ShardCommand.ReleaseSnapshot;
import io.flinkfluss.storage.server.shard.ShardCommand.TakeSnapshot;
import io.flinkfluss.storage.server.transfer.CheckpointFetcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One replica's checkpoint becomes another replica's state. */
class ShardInstallTest extends TwoReplicas {
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
}
