package io.flinkfluss.storage.server.metadata;

import io.flinkfluss.storage.api.TableAdmin.DropMode;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TablePath;
import java.util.Map;

/** A change of metadata; many travel in one entry of the metadata group's log. */
public sealed interface MetadataCommand {

    /** Answer: {@link MetadataAnswer.Done}. */
    record CreateDatabase(String name, String comment, Map<String, String> properties)
            implements MetadataCommand {
        public CreateDatabase {
            properties = Map.copyOf(properties);
        }
    }

    /** Answer: {@link MetadataAnswer.Dropped}. */
    record DropDatabase(String name, DropMode mode) implements MetadataCommand {}

    /** The descriptor was checked by the proposer. Answer: {@link MetadataAnswer.Created}. */
    record CreateTable(TablePath path, TableDescriptor descriptor) implements MetadataCommand {}

    /** Answer: {@link MetadataAnswer.Dropped}. */
    record DropTable(TablePath path) implements MetadataCommand {}

    /**
     * Takes numbers that were never taken before, for writers and snapshots. Answer: {@link
     * MetadataAnswer.Numbers}.
     */
    record TakeNumbers(int count) implements MetadataCommand {}

    /** Answer: {@link MetadataAnswer.Done}. */
    record RegisterTiering(LakeTiering tiering) implements MetadataCommand {}

    /**
     * Whether a node shall lead nothing, until it is told otherwise. Answer: {@link
     * MetadataAnswer.Done}.
     */
    record SetDraining(String node, boolean draining) implements MetadataCommand {}

    /** A node says the newest format level that it reads. Answer: {@link MetadataAnswer.Done}. */
    record AnnounceLevel(String node, int newest) implements MetadataCommand {}

    /** Every node reads this format level. Answer: {@link MetadataAnswer.Done}. */
    record RaiseLevel(int level) implements MetadataCommand {}
}
