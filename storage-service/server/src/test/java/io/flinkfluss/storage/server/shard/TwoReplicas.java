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
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.SettableClock;
import io.flinkfluss.storage.server.shard.ShardCommand.Append;
import io.flinkfluss.storage.server.shard.ShardCommand.OpenTable;
import io.flinkfluss.storage.server.shard.ShardCommand.Put;
import io.flinkfluss.storage.server.transfer.CheckpointFetcher;
import io.flinkfluss.storage.server.transfer.LocalPeer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A leader and a follower that has missed what the leader did lately. */
abstract class TwoReplicas {
    @TempDir Path leaderFolder;
    @TempDir Path followerFolder;
    @TempDir Path otherFolder;
    final SettableClock clock = new SettableClock();
    ShardFixture leader;
    ShardFixture follower;
    LocalPeer peer;

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

    void connect() {
        peer = new LocalPeer(leader.state().transfer().orElseThrow(), clock);
    }

    void both(ShardCommand... commands) {
        assertThat(follower.apply(commands)).isEqualTo(leader.apply(commands));
    }

    Append appended(int sequence, int count) {
        return new Append(EVENTS_0, new WriterStamp(3, sequence), leader.events(0, count));
    }

    static Put put(Object... keysAndValues) {
        return new Put(ROWS_0, WriterStamp.NONE, rows(keysAndValues));
    }

    /** What the follower does not see. */
    void leaderGoesOn() {
        for (int i = 5; i < 40; i++) {
            leader.millis += 10;
            leader.apply(appended(i, 30), put(i, "a" + i, i % 7, "c" + i), put(i % 11, null));
        }
        leader.state().checkpoint().join();
    }

    CheckpointTransfer transfer() {
        return follower.state().transfer().orElseThrow();
    }

    Position fetch() {
        return new CheckpointFetcher(peer, new Pace(clock, Long.MAX_VALUE), clock)
                .fetch("shard-0", transfer(), 1);
    }

    void install() {
        follower.installed(follower.state().transfer().orElseThrow().install());
    }

    void assertEqual() throws IOException {
        assertThat(follower.changelog(ROWS_0)).isEqualTo(leader.changelog(ROWS_0));
        assertThat(follower.current(ROWS_0)).isEqualTo(leader.current(ROWS_0));
        assertThat(follower.current(ROWS_0)).isEqualTo(follower.fold(ROWS_0));
        assertThat(segments(followerFolder)).isEqualTo(segments(leaderFolder));
    }

    static Map<String, ByteBuffer> segments(Path shard) throws IOException {
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

    static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
