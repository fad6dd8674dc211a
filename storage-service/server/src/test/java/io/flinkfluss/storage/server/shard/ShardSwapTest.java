package io.flinkfluss.storage.server.shard;

import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS_0;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.server.replication.Position;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A process may end at any moment while a fetched checkpoint takes the place of a state. */
class ShardSwapTest extends TwoReplicas {
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
