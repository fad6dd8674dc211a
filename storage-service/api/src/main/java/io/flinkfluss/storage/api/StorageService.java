package io.flinkfluss.storage.api;

/** All roles of one storage service; ask for the role you need, not for this. */
public interface StorageService extends AutoCloseable {
    TableAdmin admin();

    LogAppender logAppender();

    LogReader logReader();

    KvWriter kvWriter();

    KvReader kvReader();

    LakeProgress lakeProgress();

    @Override
    void close();
}
