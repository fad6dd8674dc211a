package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeWriter;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import org.apache.iceberg.Table;

/**
 * Rows of a log table flow to data files. Rows whose bucket column is NULL go to files of their
 * own, because Iceberg's bucket of NULL is NULL.
 */
final class LogRowsWriter implements LakeWriter {
    private final BucketFiles files;
    private final TableInfo info;
    private final int bucket;
    private final int bucketColumn;
    private BucketFiles.DataOutput rows;
    private BucketFiles.DataOutput rowsWithoutBucket;

    LogRowsWriter(Table table, TableInfo info, BucketId bucket) {
        this.files = new BucketFiles(table, info, bucket);
        this.info = info;
        this.bucket = bucket.bucket();
        this.bucketColumn =
                IcebergLayout.bucketColumn(info.descriptor())
                        .map(info.schema()::indexOf)
                        .orElse(-1);
    }

    @Override
    public void write(ChangeKind kind, RowView row, long offset, long commitMillis) {
        try {
            if (bucketColumn >= 0 && row.isNullAt(bucketColumn)) {
                if (rowsWithoutBucket == null) {
                    rowsWithoutBucket = files.newData(files.partitionOf(row, null));
                }
                rowsWithoutBucket.write(row);
            } else {
                if (rows == null) {
                    rows = files.newData(files.partitionOf(row, bucket));
                }
                rows.write(row);
            }
        } catch (RuntimeException e) {
            throw IcebergErrors.of("write to lake table " + info.path(), e);
        }
    }

    @Override
    public boolean isFull() {
        return false;
    }

    @Override
    public byte[] complete() {
        try {
            close();
            return files.describe();
        } catch (RuntimeException e) {
            throw IcebergErrors.of("write to lake table " + info.path(), e);
        }
    }

    private void close() {
        if (rows != null) {
            rows.close();
        }
        if (rowsWithoutBucket != null) {
            rowsWithoutBucket.close();
        }
    }

    @Override
    public void abort() {
        try {
            close();
        } catch (RuntimeException e) {
            // the file is deleted below whatever state it is in
        }
        files.delete();
    }
}
