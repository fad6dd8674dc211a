package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.KvWriter;
import io.flinkfluss.storage.api.LakeProgress;
import io.flinkfluss.storage.api.LogAppender;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.TableAdmin;

/**
 * The service as its own process sees it: metadata and shards of this node. The transport and the
 * contract test use it; closing it does nothing, because {@link StorageNode} owns the parts.
 */
record LocalStorageService(
        TableAdmin admin,
        LogAppender logAppender,
        LogReader logReader,
        KvWriter kvWriter,
        KvReader kvReader,
        LakeProgress lakeProgress,
        ClusterAdmin clusterAdmin)
        implements StorageService {
    @Override
    public void close() {}
}
