package io.flinkfluss.storage.api;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;

/** All roles of one storage service; ask for the role you need, not for this. */
public interface StorageService extends AutoCloseable {
    TableAdmin admin();

    LogAppender logAppender();

    LogReader logReader();

    KvWriter kvWriter();

    KvReader kvReader();

    LakeProgress lakeProgress();

    /**
     * @throws StorageException UNSUPPORTED when the service does not consist of nodes
     */
    default ClusterAdmin clusterAdmin() {
        throw new StorageException(
                ErrorCode.UNSUPPORTED, "this storage service does not consist of nodes");
    }

    @Override
    void close();
}
