package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicationNodeTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @TempDir Path folder;

    @Test
    void answersInOrderAndReplaysEverythingAfterARestart() throws Exception {
        try (ReplicationNode node = open(new SumState(file()))) {
            assertThat(add(node, 5)).isEqualTo(5);
            assertThat(add(node, 6)).isEqualTo(11);
        }

        SumState restarted = new SumState(file());
        try (ReplicationNode node = open(restarted)) {
            assertThat(restarted.entriesApplied()).isEqualTo(2);
            assertThat(add(node, 1)).isEqualTo(12);
        }
    }

    @Test
    void replaysOnlyWhatFollowsTheCheckpoint() throws Exception {
        try (ReplicationNode node = open(new SumState(file()))) {
            add(node, 5);
            add(node, 6);
            assertThat(node.group("sums").bytesSinceCheckpoint()).isEqualTo(32);
            assertThat(node.group("sums").applyTimeSinceCheckpoint()).isPositive();
            node.group("sums").checkpoint(DEADLINE).get(20, TimeUnit.SECONDS);
            assertThat(node.group("sums").bytesSinceCheckpoint()).isZero();
            assertThat(node.group("sums").applyTimeSinceCheckpoint()).isZero();
            add(node, 7);
        }

        SumState restarted = new SumState(file());
        try (ReplicationNode node = open(restarted)) {
            assertThat(restarted.entriesApplied()).isEqualTo(1);
            assertThat(add(node, 0)).isEqualTo(18);
        }
    }

    @Test
    void forgetsAnEntryWhoseWritingWasCutOff() throws Exception {
        try (ReplicationNode node = open(new SumState(file()))) {
            add(node, 5);
        }
        Path segment = openSegment();
        byte[] half = {40, 8, 1, 16, 1};
        long end = LogFolder.cutTornTail(segment);
        write(segment, end, half);

        SumState restarted = new SumState(file());
        try (ReplicationNode node = open(restarted)) {
            assertThat(add(node, 1)).isEqualTo(6);
        }
    }

    /**
     * What a disk leaves that was full when Ratis stored a vote, and when it stored the members.
     */
    @Test
    void goesOnInALaterTermWhenTheFilesOfVoteAndMembersWereEmptied() throws Exception {
        long term;
        try (ReplicationNode node = open(new SumState(file()))) {
            add(node, 5);
            term = node.group("sums").leadership().term();
        }
        Files.write(only("raft-meta"), new byte[0]);
        Files.write(only("raft-meta.conf"), new byte[0]);

        try (ReplicationNode node = open(new SumState(file()))) {
            assertThat(add(node, 1)).isEqualTo(6);
            assertThat(node.group("sums").leadership().term()).isGreaterThan(term + 1000);
        }
        assertThat(only("raft-meta")).isNotEmptyFile();
        assertThat(only("raft-meta.conf")).isNotEmptyFile();
    }

    @Test
    void writesTheMembersAgainWhenTheirFileWasEmptied() throws Exception {
        try (ReplicationNode node = open(new SumState(file()))) {
            add(node, 5);
            byte[] members = Files.readAllBytes(only("raft-meta.conf"));
            Files.write(only("raft-meta.conf"), new byte[0]);

            node.step();

            assertThat(only("raft-meta.conf")).hasBinaryContent(members);
        }
    }

    @Test
    void refusesADamagedEntryAndNamesTheFolder() throws Exception {
        try (ReplicationNode node = open(new SumState(file()))) {
            add(node, 5);
            add(node, 6);
        }
        Path segment = openSegment();
        write(segment, 60, new byte[] {77});

        assertThatThrownBy(() -> open(new SumState(file())))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("raft");
    }

    @Test
    void refusesToBecomePartOfAClusterWithDataOfItsOwn() throws Exception {
        try (ReplicationNode node = open(new SumState(file()))) {
            add(node, 5);
        }
        List<Peer> cluster =
                List.of(
                        new Peer("n1", "127.0.0.1", 1, 0),
                        new Peer("n2", "127.0.0.1", 2, 2),
                        new Peer("n3", "127.0.0.1", 3, 3));

        assertThatThrownBy(() -> open(new SumState(file()), cluster))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("is of the nodes [n1], but --peers names [n1, n2, n3]")
                .extracting("code")
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    private ReplicationNode open(SumState state) throws InterruptedException {
        return open(state, List.of(new Peer("n1", "127.0.0.1", 0, 0)));
    }

    private ReplicationNode open(SumState state, List<Peer> peers) throws InterruptedException {
        ReplicationSettings settings =
                new ReplicationSettings(
                        folder.resolve("raft"),
                        ReplicationSettings.Beginning.FOUND,
                        peers.get(0),
                        peers,
                        "127.0.0.1",
                        ReplicationSettings.Durability.DISK,
                        Duration.ofSeconds(1),
                        1 << 20);
        ReplicationNode node =
                ReplicationNode.open(
                        settings,
                        Map.of("sums", state),
                        ServerClock.system(),
                        (what, cause) -> {
                            throw new AssertionError(what, cause);
                        });
        node.awaitReady(DEADLINE);
        return node;
    }

    private static long add(ReplicationNode node, long number) throws Exception {
        ByteBuffer command = ByteBuffer.allocate(8).putLong(number).flip();
        byte[] answer = node.group("sums").submit(1, command).get(20, TimeUnit.SECONDS);
        return ByteBuffer.wrap(answer).getLong();
    }

    private Path file() {
        return folder.resolve("sum");
    }

    private Path only(String name) throws IOException {
        return first(file -> file.equals(name));
    }

    private Path openSegment() throws IOException {
        return first(file -> file.startsWith("log_"));
    }

    private Path first(Predicate<String> name) throws IOException {
        return Folders.filesBelow(folder).stream()
                .filter(file -> name.test(file.getFileName().toString()))
                .findFirst()
                .orElseThrow();
    }

    private static void write(Path file, long position, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), position);
        }
    }
}
