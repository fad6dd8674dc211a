package io.flinkfluss.storage.server.metadata;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import io.flinkfluss.storage.server.level.ClusterLevel;
import io.flinkfluss.storage.server.level.FormatLevel;
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
    static final Format CHECKPOINT = new Format("metadata checkpoint", 1, 2, "replicated-log.md");

    private final MetadataFile file;
    private final CheckpointTransfer transfer;

    /** Replaced when a checkpoint of another node is installed. */
    private volatile Catalog catalog = new Catalog();

    private final ClusterLevel level = new ClusterLevel();
    private Position restored = Position.NONE;
    private Position applied = Position.NONE;
    private volatile Runnable dropListener = () -> {};
    private volatile Runnable levelListener = () -> {};

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
            int version = input.readVersion(CHECKPOINT);
            restored = new Position(input.readLong(), input.readLong());
            if (version > 1) {
                level.read(input);
            }
            catalog = Catalog.read(input, version);
        }
        applied = restored;
    }

    private Position installed() {
        load();
        // Tables may have been dropped in the entries that were not applied here.
        dropListener.run();
        levelListener.run();
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

    /** Calls the listener after the cluster's level rose, on the applying thread. */
    public void onLevel(Runnable listener) {
        levelListener = listener;
    }

    @Override
    public byte[] apply(Position position, long leaderMillis, ByteBuffer command) {
        List<MetadataAnswer> answers = new ArrayList<>();
        for (MetadataCommand next : MetadataCommands.decodeCommands(command)) {
            if (next instanceof MetadataCommand.RaiseLevel raise) {
                // A node that does not read the level cannot go on.
                level.raise(raise.level());
                levelListener.run();
                answers.add(new MetadataAnswer.Done());
                continue;
            }
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
        if (command instanceof MetadataCommand.AnnounceLevel announce) {
            level.announce(announce.node(), announce.newest());
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
        // A node that is not upgraded yet can take the checkpoint: it is no newer than the level,
        // but always has what was announced, or the level would not rise after a restart.
        int version = Math.max(FormatLevel.RETENTION.number(), level.level().number());
        output.writeByte(version).writeLong(applied.term()).writeLong(applied.index());
        level.write(output);
        catalog.write(output, version);
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

    /** What may be written, and who reads what. */
    public ClusterLevel level() {
        return level;
    }

    /** Nodes that shall lead nothing. */
    public Set<String> draining() {
        return catalog.draining();
    }

    public Optional<LakeTiering> tiering(TableId table) {
        return catalog.tiering(table);
    }
}
