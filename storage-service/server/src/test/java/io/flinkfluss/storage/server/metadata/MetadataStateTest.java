package io.flinkfluss.storage.server.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.TableAdmin.DropMode;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.replication.Position;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataStateTest {
    private static final TablePath PATH = new TablePath("sales", "orders");
    private static final MetadataCommands CODEC = new MetadataCommands();

    @TempDir Path folder;

    private long index;

    @Test
    void aCheckpointRestoresEverything() {
        MetadataState state = MetadataState.open(folder);
        TableInfo table = createTable(state);
        LakeTiering tiering =
                new LakeTiering(table.id(), 3, -77, Map.of(BucketId.of(table.id(), 0), 9L), 5, 4);
        apply(state, new MetadataCommand.RegisterTiering(tiering));
        apply(state, new MetadataCommand.TakeNumbers(10));

        Position position = state.checkpoint().join();
        MetadataState restored = MetadataState.open(folder);

        assertThat(restored.restored()).isEqualTo(position);
        assertThat(restored.databases()).containsExactly("fluss", "sales");
        assertThat(restored.table(PATH)).isEqualTo(table);
        assertThat(restored.tiering(table.id())).contains(tiering);
        assertThat(apply(restored, new MetadataCommand.TakeNumbers(1)))
                .isEqualTo(new MetadataAnswer.Numbers(11));
    }

    @Test
    void whatNodesReadIsKnownAfterARestartBeforeTheLevelRose() {
        MetadataState state = MetadataState.open(folder);
        apply(state, new MetadataCommand.AnnounceLevel("n1", 2));
        apply(state, new MetadataCommand.AnnounceLevel("n2", 1));
        state.checkpoint().join();

        MetadataState restored = MetadataState.open(folder);

        assertThat(restored.level().announced("n1")).isEqualTo(2);
        assertThat(restored.level().announced("n2")).isEqualTo(1);
        assertThat(restored.level().level()).isEqualTo(FormatLevel.FIRST);
    }

    @Test
    void aTableThatIsMadeAgainIsAnotherTable() {
        MetadataState state = MetadataState.open(folder);
        TableId first = createTable(state).id();

        assertThat(apply(state, new MetadataCommand.DropTable(PATH)))
                .isEqualTo(new MetadataAnswer.Dropped(List.of(first)));
        MetadataAnswer again = apply(state, new MetadataCommand.CreateTable(PATH, descriptor()));

        assertThat(((MetadataAnswer.Created) again).table().id()).isNotEqualTo(first);
    }

    @Test
    void aDatabaseWithTablesIsDroppedOnlyWithThem() {
        MetadataState state = MetadataState.open(folder);
        TableId table = createTable(state).id();

        MetadataAnswer refused =
                apply(state, new MetadataCommand.DropDatabase("sales", DropMode.RESTRICT));
        MetadataAnswer dropped =
                apply(state, new MetadataCommand.DropDatabase("sales", DropMode.CASCADE));

        assertThat(((MetadataAnswer.Refused) refused).code())
                .isEqualTo(ErrorCode.DATABASE_NOT_EMPTY);
        assertThat(dropped).isEqualTo(new MetadataAnswer.Dropped(List.of(table)));
        assertThat(state.tableIds()).isEmpty();
    }

    @Test
    void aDamagedCheckpointIsNamed() throws Exception {
        MetadataState state = MetadataState.open(folder);
        createTable(state);
        state.checkpoint().join();
        Path file = folder.resolve("checkpoint");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);

        assertThatThrownBy(() -> MetadataState.open(folder))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(file + " has a wrong checksum");
    }

    private TableInfo createTable(MetadataState state) {
        apply(state, new MetadataCommand.CreateDatabase("sales", "", Map.of("a", "b")));
        MetadataAnswer created = apply(state, new MetadataCommand.CreateTable(PATH, descriptor()));
        return ((MetadataAnswer.Created) created).table();
    }

    private MetadataAnswer apply(MetadataState state, MetadataCommand command) {
        byte[] answers =
                state.apply(new Position(1, index++), 1234, CODEC.encode(List.of(command)));
        return CODEC.decode(answers).get(0);
    }

    private static TableDescriptor descriptor() {
        Schema schema =
                new Schema(1, List.of(Column.of(1, "id", DataType.of(TypeRoot.BIGINT))), List.of());
        return new TableDescriptor(schema, List.of(), List.of(), 1, Map.of(), Map.of(), "why");
    }
}
