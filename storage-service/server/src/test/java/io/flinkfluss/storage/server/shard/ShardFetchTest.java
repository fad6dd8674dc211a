package io.flinkfluss.storage.server.shard;

import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS_0;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.shard.ShardCommand.DropTable;
import io.flinkfluss.storage.server.transfer.FileChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a checkpoint comes from another replica: what is sent, damaged, broken off and leased. */
class ShardFetchTest extends TwoReplicas {
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
        peer.spoil(ShardFetchTest::flipped);
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
}
