package io.flinkfluss.storage.server.shard;

import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS;
import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS_0;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS_0;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS_1;
import static io.flinkfluss.storage.server.shard.ShardFixture.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.log.LogFacts;
import io.flinkfluss.storage.server.log.RemoteSegment;
import io.flinkfluss.storage.server.shard.ShardCommand.AddRemoteSegment;
import io.flinkfluss.storage.server.shard.ShardCommand.Append;
import io.flinkfluss.storage.server.shard.ShardCommand.DropTable;
import io.flinkfluss.storage.server.shard.ShardCommand.OpenTable;
import io.flinkfluss.storage.server.shard.ShardCommand.Put;
import io.flinkfluss.storage.server.shard.ShardCommand.ReleaseSnapshot;
import io.flinkfluss.storage.server.shard.ShardCommand.RollLog;
import io.flinkfluss.storage.server.shard.ShardCommand.TakeSnapshot;
import io.flinkfluss.storage.server.shard.ShardCommand.TrimLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random entries, with power cuts at random moments. A cut takes everything that was not made
 * durable: it shortens, tears or removes files written since the last checkpoint. After replay the
 * shard must be what a shard without cuts is.
 */
class ShardReplayTest {
    private static final int ENTRIES = 60;

    @TempDir Path folder;

    private record Entry(long millis, List<ShardCommand> commands) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void replayAfterPowerCutsGivesTheSameBytesAndAnswers(long seed) throws IOException {
        Random random = new Random(seed);
        try (ShardFixture calm = new ShardFixture(folder.resolve("calm"));
                ShardFixture cut = new ShardFixture(folder.resolve("cut"))) {
            List<Entry> entries = entries(calm, random);
            List<List<ShardAnswer>> expected = new ArrayList<>();
            for (Entry entry : entries) {
                calm.millis = entry.millis();
                expected.add(calm.apply(entry.commands()));
            }

            Map<Path, Long> durable = new HashMap<>();
            int next = 0;
            int cuts = 0;
            while (next < entries.size()) {
                cut.millis = entries.get(next).millis();
                assertThat(cut.apply(entries.get(next).commands())).isEqualTo(expected.get(next));
                next++;
                if (random.nextInt(8) == 0) {
                    cut.state().checkpoint().join();
                    durable = sizes(cut.folder().resolve("log"));
                }
                if (cuts < 6 && random.nextInt(8) == 0) {
                    cuts++;
                    cut.stop();
                    cutPower(cut.folder(), durable, random);
                    cut.open();
                    next = (int) cut.state().restored().index() + 1;
                }
            }

            assertThat(cut.reads().tables()).isEqualTo(calm.reads().tables());
            assertThat(segments(cut)).isEqualTo(segments(calm));
            assertThat(extent(cut)).isEqualTo(extent(calm));
            for (BucketId bucket : List.of(ROWS_0, ROWS_1)) {
                assertThat(cut.current(bucket)).isEqualTo(calm.current(bucket));
                assertThat(cut.fold(bucket)).isEqualTo(cut.current(bucket));
            }
        }
    }

    private static List<Object> extent(ShardFixture shard) {
        LogFacts log = shard.state().logs().facts(EVENTS_0);
        return List.of(
                log.startOffset(),
                log.localStart(),
                log.remoteEnd(),
                log.endOffset(),
                shard.state().logs().remoteObjects(),
                shard.state().logs().bornMillis());
    }

    private static List<Entry> entries(ShardFixture shard, Random random) {
        List<Entry> entries = new ArrayList<>();
        entries.add(new Entry(1_000, List.of(new OpenTable(EVENTS), new OpenTable(ROWS))));
        int[] sequences = new int[3];
        for (int i = 1; i < ENTRIES; i++) {
            List<ShardCommand> commands = new ArrayList<>();
            for (int left = 1 + random.nextInt(4); left > 0; left--) {
                commands.add(command(shard, random, sequences, i));
            }
            entries.add(new Entry(1_000 + i * 10L - random.nextInt(30), commands));
        }
        return entries;
    }

    private static ShardCommand command(
            ShardFixture shard, Random random, int[] sequences, int entry) {
        int kind = random.nextInt(19);
        if (kind >= 16) {
            return logCommand(kind, entry);
        }
        if (kind == 0) {
            return new TakeSnapshot(ROWS.id(), entry);
        } else if (kind == 1) {
            return new ReleaseSnapshot(random.nextInt(entry));
        } else if (kind == 2) {
            // Numbers of tables are never used again.
            TableInfo passing = ShardFixture.table(100 + entry / 8, ShardFixture.EVENTS_SCHEMA);
            return switch (entry % 8) {
                case 0, 1, 2 -> new OpenTable(passing);
                case 7 -> new DropTable(passing.id());
                default ->
                        new Append(
                                BucketId.of(passing.id(), entry % 2),
                                WriterStamp.NONE,
                                shard.events(entry, 3));
            };
        }
        int writer = random.nextInt(sequences.length);
        boolean again = random.nextInt(6) == 0;
        int sequence = again ? Math.max(0, sequences[writer] - 1) : sequences[writer]++;
        WriterStamp stamp = writer == 0 ? WriterStamp.NONE : new WriterStamp(writer, sequence);
        if (kind < 8) {
            return new Append(
                    EVENTS_0, stamp, shard.events(random.nextInt(1000), 1 + random.nextInt(20)));
        }
        List<Object> changes = new ArrayList<>();
        for (int left = 1 + random.nextInt(12); left > 0; left--) {
            changes.add(random.nextInt(40));
            changes.add(random.nextInt(4) == 0 ? null : "v" + random.nextInt(1_000_000));
        }
        return new Put(random.nextBoolean() ? ROWS_0 : ROWS_1, stamp, rows(changes.toArray()));
    }

    /** What retention and copying propose; some are refused or change nothing. */
    private static ShardCommand logCommand(int kind, int entry) {
        long offset = entry * 10L;
        return switch (kind) {
            case 16 -> new RollLog(EVENTS_0, offset);
            case 17 -> new TrimLog(EVENTS_0, offset / 2, offset);
            default ->
                    new AddRemoteSegment(
                            EVENTS_0,
                            new RemoteSegment(
                                    "copy-" + entry, offset / 2, offset + 1, 9, 9, 9, 9, 9, 1));
        };
    }

    private static void cutPower(Path shard, Map<Path, Long> durable, Random random)
            throws IOException {
        Path log = shard.resolve("log");
        for (Map.Entry<Path, Long> file : sizes(log).entrySet()) {
            long kept = durable.getOrDefault(file.getKey(), 0L);
            boolean isIndex = file.getKey().toString().endsWith(".index");
            if (kept == 0 && random.nextBoolean()) {
                Files.delete(file.getKey());
            } else if (file.getValue() > kept && !isIndex) {
                int length = (int) (kept + random.nextInt((int) (file.getValue() - kept) + 1));
                byte[] bytes = Arrays.copyOf(Files.readAllBytes(file.getKey()), length + 7);
                Files.write(file.getKey(), bytes);
            }
        }
        for (Path file : Folders.list(shard.resolve("kv"))) {
            if (Files.isRegularFile(file) && random.nextBoolean()) {
                Files.delete(file);
            }
        }
    }

    private static Map<Path, Long> sizes(Path root) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sizes.put(file, Files.size(file));
            }
        }
        return sizes;
    }

    private static int bucketOf(Path name) {
        return Integer.parseInt(name.getName(2).toString());
    }

    /** Whether the segment has rows that have to be on the local disk. */
    private static boolean isNeeded(ShardFixture shard, BucketId bucket, Path file) {
        long base = Long.parseLong(file.getFileName().toString().substring(0, 20));
        return base >= shard.state().logs().facts(bucket).localStart();
    }

    /** Bytes of every segment of the tables that exist. */
    private static Map<String, String> segments(ShardFixture shard) throws IOException {
        Map<String, String> segments = new TreeMap<>();
        Path log = shard.folder().resolve("log");
        for (Path file : sizes(log).keySet()) {
            Path name = log.relativize(file);
            TableId table = new TableId(Long.parseLong(name.getName(0).toString()));
            if (file.toString().endsWith(".log")
                    && shard.reads().knows(table)
                    && isNeeded(shard, BucketId.of(table, bucketOf(name)), file)) {
                segments.put(name.toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return segments;
    }
}
