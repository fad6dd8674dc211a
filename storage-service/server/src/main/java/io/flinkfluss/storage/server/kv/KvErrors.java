package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** Why key-value state cannot be read or written. */
final class KvErrors {
    private KvErrors() {}

    static StorageException tooManyRows(BucketId bucket, int rows, long limitBytes) {
        return new StorageException(
                ErrorCode.RECORD_TOO_LARGE,
                "more than "
                        + rows
                        + " rows of bucket "
                        + bucket
                        + " have this key prefix; one answer holds "
                        + limitBytes
                        + " bytes. Use a longer prefix or scan the table.");
    }

    static StorageException closed(Path folder) {
        return new StorageException(
                ErrorCode.CLOSED, "the key-value state in " + folder + " is closed");
    }

    static StorageException replaced(Path folder) {
        return new StorageException(
                ErrorCode.NOT_READY,
                "the replica in "
                        + folder
                        + " is being replaced by a checkpoint from another node; read again");
    }

    static StorageException failed(String what, Path folder, RocksDBException cause) {
        Status status = cause.getStatus();
        ErrorCode error = ErrorCode.INTERNAL;
        String advice = ". Check that disk.";
        if (status != null && status.getSubCode() == Status.SubCode.NoSpace) {
            error = ErrorCode.DISK_FULL;
            advice = ". Free some space on that disk.";
        } else if (status != null && status.getCode() == Status.Code.Corruption) {
            error = ErrorCode.CORRUPT_DATA;
            advice =
                    ". Check the disk, then restore this node's data from a backup or another"
                            + " node.";
        }
        return new StorageException(
                error,
                "could not "
                        + what
                        + " the key-value state in "
                        + folder
                        + ": "
                        + cause.getMessage()
                        + advice,
                cause);
    }
}
