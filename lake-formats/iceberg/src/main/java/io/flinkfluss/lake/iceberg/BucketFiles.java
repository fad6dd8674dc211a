package io.flinkfluss.lake.iceberg;

import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.util.PropertyUtil;

/** Makes the files of one bucket and remembers them, so that they can be described or deleted. */
final class BucketFiles {
    private static final int ROWS_BETWEEN_SIZE_CHECKS = 1000;

    private final Table table;
    private final TableInfo info;
    private final BucketId bucket;
    private final long targetBytes;
    private final List<DataFile> data = new ArrayList<>();
    private final List<DeleteFile> deletes = new ArrayList<>();
    private final List<String> locations = new ArrayList<>();

    BucketFiles(Table table, TableInfo info, BucketId bucket) {
        this.table = table;
        this.info = info;
        this.bucket = bucket;
        this.targetBytes =
                PropertyUtil.propertyAsLong(
                        table.properties(),
                        TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
                        TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    }

    /**
     * The partition that this row's file belongs to.
     *
     * @param bucketValue value of the last partition field: the bucket, or null for rows whose
     *     bucket column is NULL
     */
    StructLike partitionOf(RowView row, Integer bucketValue) {
        PartitionSpec spec = table.spec();
        PartitionData partition = new PartitionData(spec.partitionType());
        List<String> keys = info.descriptor().partitionKeys();
        for (int i = 0; i < keys.size(); i++) {
            int index = info.schema().indexOf(keys.get(i));
            partition.set(
                    i,
                    IcebergTypes.partitionValue(
                            row, index, info.schema().columns().get(index).type()));
        }
        partition.set(keys.size(), bucketValue);
        return partition;
    }

    DataOutput newData(StructLike partition) {
        return new DataOutput(partition);
    }

    /** A file of keys whose earlier rows are deleted; the rows hold all columns of the table. */
    EqualityDeleteWriter<RowView> newKeyDeletes(StructLike partition) throws IOException {
        Schema keys = TypeUtil.select(table.schema(), table.schema().identifierFieldIds());
        int[] ids = keys.columns().stream().mapToInt(field -> field.fieldId()).toArray();
        return Parquet.writeDeletes(newFile(partition, "deletes"))
                .forTable(table)
                .withPartition(partition)
                .rowSchema(keys)
                .equalityFieldIds(ids)
                .createWriterFunc(
                        message ->
                                RowViewWriter.create(info.schema(), keys, message, bucket.bucket()))
                .buildEqualityWriter();
    }

    void add(DeleteFile file) {
        deletes.add(file);
    }

    private OutputFile newFile(StructLike partition, String kind) {
        String name =
                "%d-%05d-%s-%s.parquet"
                        .formatted(info.id().value(), bucket.bucket(), kind, UUID.randomUUID());
        String location = table.locationProvider().newDataLocation(table.spec(), partition, name);
        locations.add(location);
        return table.io().newOutputFile(location);
    }

    List<DataFile> data() {
        return data;
    }

    byte[] describe() {
        return new WrittenFiles(data, deletes).encode(table.spec());
    }

    /** Deletes every file; never throws. */
    void delete() {
        for (String location : locations) {
            try {
                table.io().deleteFile(location);
            } catch (RuntimeException e) {
                // it was never begun, or the orphan clean-up will find it
            }
        }
    }

    /** Rows that flow to files of about the target size. */
    final class DataOutput implements AutoCloseable {
        private final StructLike partition;
        private DataWriter<RowView> current;
        private int rowsToCheck = ROWS_BETWEEN_SIZE_CHECKS;

        private DataOutput(StructLike partition) {
            this.partition = partition;
        }

        void write(RowView row) {
            if (current == null) {
                current = open();
            }
            current.write(row);
            if (--rowsToCheck == 0) {
                rowsToCheck = ROWS_BETWEEN_SIZE_CHECKS;
                if (current.length() >= targetBytes) {
                    close();
                }
            }
        }

        private DataWriter<RowView> open() {
            try {
                return Parquet.writeData(newFile(partition, "data"))
                        .forTable(table)
                        .withPartition(partition)
                        .createWriterFunc(
                                message ->
                                        RowViewWriter.create(
                                                info.schema(),
                                                table.schema(),
                                                message,
                                                bucket.bucket()))
                        .build();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Finishes the current file. */
        @Override
        public void close() {
            if (current != null) {
                try {
                    current.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                data.add(current.toDataFile());
                current = null;
            }
        }
    }
}
