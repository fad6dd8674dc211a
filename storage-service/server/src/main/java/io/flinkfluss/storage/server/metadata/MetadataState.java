package io.flinkfluss.storage.server.metadata;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.replication.ReplicatedState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The metadata group's state: applies {@link MetadataCommand}s. Reads may come from any thread. */
public final class MetadataState implements ReplicatedState {
    private static final int VERSION = 1;

    private final CheckpointFile file;
    private final Catalog catalog;
    private final Position restored;
    private Position applied;
    private volatile Runnable dropListener = () -> {};

    private MetadataState(CheckpointFile file, Catalog catalog, Position restored) {
        this.file = file;
        this.catalog = catalog;
        this.restored = restored;
        applied = restored;
    }

    /**
     * @param folder where its checkpoint is kept
     * @throws StorageException CORRUPT_DATA naming the file
     */
    public static MetadataState open(Path folder) {
        CheckpointFile file = new CheckpointFile(folder.resolve("checkpoint"));
        Optional<ByteBuffer> content = file.read();
        if (content.isEmpty()) {
            return new MetadataState(file, new Catalog(), Position.NONE);
        }
        WireInput input = new WireInput(content.get());
        input.readVersion("the metadata checkpoint", VERSION);
        Position position = new Position(input.readLong(), input.readLong());
        return new MetadataState(file, Catalog.read(input), position);
    }

    @Override
    public Position restored() {
        return restored;
    }

    /** Calls the listener after tables were dropped, on the applying thread: it must be short. */
    public void onDrop(Runnable listener) {
        dropListener = listener;
    }

    @Override
    public byte[] apply(Position position, long leaderMillis, ByteBuffer command) {
        List<MetadataAnswer> answers = new ArrayList<>();
        for (MetadataCommand next : MetadataCommands.decodeCommands(command)) {
            try {
                answers.add(apply(next, leaderMillis));
            } catch (StorageException refused) {
                answers.add(new MetadataAnswer.Refused(refused.code(), refused.getMessage()));
            }
        }
        applied = position;
        if (answers.stream().anyMatch(MetadataAnswer.Dropped.class::isInstance)) {
            dropListener.run();
        }
        return MetadataCommands.encodeAnswers(answers);
    }

    private MetadataAnswer apply(MetadataCommand command, long millis) {
        if (command instanceof MetadataCommand.CreateDatabase create) {
            catalog.createDatabase(
                    new DatabaseInfo(create.name(), create.comment(), create.properties(), millis));
            return new MetadataAnswer.Done();
        }
        if (command instanceof MetadataCommand.DropDatabase drop) {
            return new MetadataAnswer.Dropped(catalog.dropDatabase(drop.name(), drop.mode()));
        }
        if (command instanceof MetadataCommand.CreateTable create) {
            return new MetadataAnswer.Created(
                    catalog.createTable(create.path(), create.descriptor(), millis));
        }
        if (command instanceof MetadataCommand.DropTable drop) {
            return new MetadataAnswer.Dropped(List.of(catalog.dropTable(drop.path())));
        }
        if (command instanceof MetadataCommand.TakeNumbers take) {
            return new MetadataAnswer.Numbers(catalog.takeNumbers(take.count()));
        }
        catalog.register(((MetadataCommand.RegisterTiering) command).tiering());
        return new MetadataAnswer.Done();
    }

    @Override
    public CompletableFuture<Position> checkpoint() {
        WireOutput output = new WireOutput(4096);
        output.writeByte(VERSION).writeLong(applied.term()).writeLong(applied.index());
        catalog.write(output);
        file.write(output.toByteBuffer());
        return CompletableFuture.completedFuture(applied);
    }

    @Override
    public void close() {}

    public List<String> databases() {
        return catalog.databases();
    }

    /**
     * @throws StorageException DATABASE_NOT_FOUND
     */
    public DatabaseInfo database(String name) {
        return catalog.database(name);
    }

    /**
     * @throws StorageException DATABASE_NOT_FOUND
     */
    public List<String> tables(String database) {
        return catalog.tables(database);
    }

    /**
     * @throws StorageException TABLE_NOT_FOUND, DATABASE_NOT_FOUND
     */
    public TableInfo table(TablePath path) {
        return catalog.table(path);
    }

    public Optional<TableInfo> table(TableId id) {
        return catalog.table(id);
    }

    public Set<TableId> tableIds() {
        return catalog.tableIds();
    }

    public Optional<LakeTiering> tiering(TableId table) {
        return catalog.tiering(table);
    }
}
