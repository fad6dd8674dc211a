package io.flinkfluss.flink.sink;

import io.flinkfluss.flink.connection.TableHandle;
import io.flinkfluss.flink.row.RowDataView;
import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.List;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.table.data.RowData;

/**
 * The bucket of a row, so that a bucket has one writer: its batches are larger, and changes of a
 * key, which come from one subtask, stay in order whatever the parallelism of the sink.
 */
final class BucketSelector implements KeySelector<RowData, Integer> {
    private static final long serialVersionUID = 1L;

    private final TableHandle table;
    private transient BucketHash hash;
    private transient RowDataView view;

    BucketSelector(TableHandle table) {
        this.table = table;
    }

    @Override
    public Integer getKey(RowData row) {
        if (hash == null) {
            TableInfo info = table.table();
            Schema schema = info.schema();
            List<String> key = info.descriptor().bucketKey();
            int[] columns = key.isEmpty() ? schema.keyIndexes() : schema.indexesOf(key);
            hash = new BucketHash(schema, columns, info.descriptor().bucketCount());
            view = new RowDataView(schema);
        }
        return hash.bucket(view.replace(row));
    }

    /** The subtask that writes a bucket. */
    static final class ToSubtask implements Partitioner<Integer> {
        private static final long serialVersionUID = 1L;

        @Override
        public int partition(Integer bucket, int subtasks) {
            return bucket % subtasks;
        }
    }
}
