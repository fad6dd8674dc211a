package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.LakeProgress;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.metadata.MetadataAnswer;
import io.flinkfluss.storage.server.metadata.MetadataCommand;
import java.util.Optional;

/** Lake progress of the metadata group. */
final class LocalLakeProgress implements LakeProgress {
    private final Metadata metadata;

    LocalLakeProgress(Metadata metadata) {
        this.metadata = metadata;
    }

    @Override
    public Optional<LakeTiering> latest(TableId table) {
        return metadata.current().tiering(table);
    }

    @Override
    public void register(LakeTiering tiering) {
        metadata.change(new MetadataCommand.RegisterTiering(tiering), MetadataAnswer.Done.class);
    }
}
