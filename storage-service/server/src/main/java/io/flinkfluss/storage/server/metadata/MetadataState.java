package io.flinkfluss.storage.server.metadata;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
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
    static final int VERSION = 2;

    private final MetadataFile file;
    private final CheckpointTransfer transfer;

    /** Replaced when a checkpoint of another node is installed. */
    private volatile Catalog catalog = new Catalog();

    private Position restored = Position.NONE;
    private Position applied = Position.NONE;
    private volatile Runnable dropListener = () -> {};

    private MetadataState(Path folder) {
        file = new MetadataFile(folder.resolve("checkpoint"));
        transfer = new MetadataTransfer(folder, this::installed);
        load();
    }

    /**
     * @param folder where its checkpoint is kept
     * @throws StorageException CORRUPT_DATA naming the file
     */
    public static MetadataState open(Path folder) {
        return new MetadataState(folder);
    }

    private void load() {
        Optional<ByteBuffer> content = file.read();
        if (content.isPresent()) {
            WireInput input = new WireInput(content.get());
            input.readVersion("the metadata checkpoint", VERSION);
            restored = new Position(input.readLong(), input.readLong());
            catalog = Catalog.read(input);
        }
        applied = restored;
    }

    private Position installed() {
        load();
        // Tables may have been dropped in the entries that were not applied here.
        dropListener.run();
        return restored;
    }

    @Override
    public Optional<CheckpointTransfer> transfer() {
        return Optional.of(transfer);
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
        if (command instanceof MetadataCommand.RegisterTiering register) {
            catalog.register(register.tiering());
            return new MetadataAnswer.Done();
        }
        MetadataCommand.SetDraining set = (MetadataCommand.SetDraining) command;
        if (set.draining()) {
            catalog.drain(set.node());
        } else {
            catalog.stopDraining(set.node());
        }
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

    /** Nodes that shall lead nothing. */
    public Set<String> draining() {
        return catalog.draining();
    }

    public Optional<LakeTiering> tiering(TableId table) {
        return catalog.tiering(table);
    }
}
