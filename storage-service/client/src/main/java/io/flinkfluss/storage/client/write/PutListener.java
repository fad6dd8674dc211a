package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;

/** Hears what became of one batch, exactly once, on a thread that it must not block. */
interface PutListener {
    void onStored(AppendResult result);

    void onFailed(StorageException error);
}
