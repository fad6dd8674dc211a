package io.flinkfluss.storage.client.admin;

import io.flinkfluss.storage.api.LakeProgress;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.client.routing.Cluster;
import java.util.Optional;

/** {@link LakeProgress} over the wire. */
public final class RemoteLakeProgress implements LakeProgress {
    private final Cluster cluster;

    public RemoteLakeProgress(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Optional<LakeTiering> latest(TableId table) {
        return cluster.call(new ClusterOperation.LatestTiering(table));
    }

    @Override
    public void register(LakeTiering tiering) {
        cluster.call(new ClusterOperation.RegisterTiering(tiering));
    }
}
