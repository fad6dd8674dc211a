package io.flinkfluss.storage.server.metadata;

import io.flinkfluss.storage.api.TableAdmin.DropMode;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.AllTypes;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.testkit.FormatSample;
import io.flinkfluss.storage.api.testkit.FormatSamples;
import io.flinkfluss.storage.server.replication.Position;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Entries of the metadata group's log, their answers, and its checkpoint. */
final class MetadataSamplesTest extends FormatSamples {
    private static final TablePath PATH = new TablePath("db", "orders");
    private static final TableDescriptor DESCRIPTOR =
            new TableDescriptor(
                    AllTypes.SCHEMA,
                    List.of(),
                    List.of("c3"),
                    4,
                    Map.of("table.log.ttl", "1 d"),
                    Map.of("a", "b"),
                    "a comment");
    private static final TableId TABLE = new TableId(1);
    private static final LakeTiering TIERING =
            new LakeTiering(TABLE, 3, -77, Map.of(BucketId.of(TABLE, 2), 1L << 44), -1, 5);

    @TempDir private static Path folder;
    private int checkpoints;

    @Override
    protected Stream<FormatSample> samples() {
        return Stream.of(
                entry(first()).version(1),
                entry(levels()),
                FormatSample.of(
                        MetadataCommands.ANSWER,
                        List.of(
                                new MetadataAnswer.Done(),
                                new MetadataAnswer.Created(
                                        new TableInfo(TABLE, PATH, DESCRIPTOR, 10, 20)),
                                new MetadataAnswer.Dropped(List.of(TABLE, new TableId(900))),
                                new MetadataAnswer.Numbers(1L << 50),
                                new MetadataAnswer.Refused(ErrorCode.TABLE_NOT_FOUND, "why")),
                        MetadataCommands::encodeAnswers,
                        bytes -> new MetadataCommands().decode(array(bytes))),
                checkpoint(List.of(first())).onlyRead(1),
                checkpoint(List.of(first(), levels())));
    }

    private static FormatSample entry(List<MetadataCommand> commands) {
        return FormatSample.of(
                MetadataCommands.ENTRY,
                commands,
                each -> array(new MetadataCommands().encode(each)),
                MetadataCommands::decodeCommands);
    }

    private static List<MetadataCommand> first() {
        return List.of(
                new MetadataCommand.CreateDatabase("db", "comment", Map.of("k", "v")),
                new MetadataCommand.DropDatabase("db", DropMode.RESTRICT),
                new MetadataCommand.CreateDatabase("db", "", Map.of()),
                new MetadataCommand.CreateTable(PATH, DESCRIPTOR),
                new MetadataCommand.CreateTable(new TablePath("db", "gone"), DESCRIPTOR),
                new MetadataCommand.DropTable(new TablePath("db", "gone")),
                new MetadataCommand.TakeNumbers(1000),
                new MetadataCommand.RegisterTiering(TIERING));
    }

    private static List<MetadataCommand> levels() {
        return List.of(
                new MetadataCommand.AnnounceLevel("n1", 2),
                new MetadataCommand.RaiseLevel(2),
                new MetadataCommand.SetDraining("n1", true),
                new MetadataCommand.SetDraining("n2", true),
                new MetadataCommand.SetDraining("n2", false));
    }

    /** The state after these entries; its text is what is compared. */
    private FormatSample checkpoint(List<List<MetadataCommand>> entries) {
        MetadataState state = MetadataState.open(newFolder());
        long index = 0;
        for (List<MetadataCommand> entry : entries) {
            state.apply(new Position(3, index++), 1000, new MetadataCommands().encode(entry));
        }
        List<String> expected = text(state);
        return FormatSample.of(
                MetadataState.CHECKPOINT,
                expected,
                each -> {
                    Path checkpoint = newFolder();
                    MetadataState written = MetadataState.open(checkpoint);
                    long next = 0;
                    for (List<MetadataCommand> entry : entries) {
                        written.apply(
                                new Position(3, next++),
                                1000,
                                new MetadataCommands().encode(entry));
                    }
                    written.checkpoint().join();
                    return array(file(checkpoint).read().orElseThrow());
                },
                bytes -> {
                    Path checkpoint = newFolder();
                    file(checkpoint).write(bytes);
                    return text(MetadataState.open(checkpoint));
                });
    }

    private static List<String> text(MetadataState state) {
        List<String> lines = new ArrayList<>();
        for (String database : state.databases()) {
            lines.add(String.valueOf(state.database(database)));
            for (String table : state.tables(database)) {
                TableInfo info = state.table(new TablePath(database, table));
                lines.add(String.valueOf(info));
                lines.add(String.valueOf(state.tiering(info.id())));
            }
        }
        lines.add("draining " + state.draining());
        lines.add("level " + state.level().level() + ", n1 " + state.level().announced("n1"));
        return lines;
    }

    private static MetadataFile file(Path checkpoint) {
        return new MetadataFile(checkpoint.resolve("checkpoint"));
    }

    private Path newFolder() {
        try {
            return Files.createDirectories(folder.resolve(Integer.toString(checkpoints++)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return array;
    }
}
