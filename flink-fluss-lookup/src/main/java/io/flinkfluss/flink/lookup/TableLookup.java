package io.flinkfluss.flink.lookup;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.connection.TableHandle;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.row.RowDataView;
import io.flinkfluss.flink.row.RowViewData;
import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.RowData;

/**
 * Finds rows by the values of a join. Travels with the job, then {@link #open}s. One thread looks
 * up; answers are built on the client's threads. Never waits for a timer: the client sends what is
 * waiting together.
 */
final class TableLookup implements Serializable {
    private static final long serialVersionUID = 1L;

    private final TableHandle handle;
    private final ConnectionOptions options;
    private final int[] keyColumns;
    private final int[] projection;

    private transient Opened opened;

    /**
     * @param keyColumns per value of the join's key row the position of its column in the schema
     * @param projection positions of the wanted columns in the schema, in the wanted order
     */
    TableLookup(TableInfo table, ConnectionOptions options, int[] keyColumns, int[] projection) {
        LookupPlan.of(table, keyColumns);
        this.handle = new TableHandle(table);
        this.options = options;
        this.keyColumns = keyColumns.clone();
        this.projection = projection.clone();
    }

    ConnectionOptions options() {
        return options;
    }

    void open() {
        opened = new Opened(handle.table(), Connections.acquire(options), keyColumns, projection);
    }

    void close() {
        if (opened != null) {
            opened.connection.close();
            opened = null;
        }
    }

    /** The projected rows that equal the values; none when a value is NULL. */
    CompletableFuture<Collection<RowData>> find(RowData keyRow) {
        return opened.find(keyRow);
    }

    /** What only exists where the lookup runs. */
    private static final class Opened {
        private final Connection connection;
        private final KvReader reader;
        private final LookupPlan plan;
        private final List<BucketId> buckets;
        private final KeyCodec keyCodec;
        private final BucketHash bucketHash;
        private final RowCodec rowCodec;
        private final RowViewData output;
        private final RowDataView values;
        private final RowView key;
        private final RowView bucketKey;
        private final DataType[] types;

        Opened(TableInfo table, Connection connection, int[] keyColumns, int[] projection) {
            this.connection = connection;
            Schema schema = table.schema();
            reader = connection.service().kvReader();
            plan = LookupPlan.of(table, keyColumns);
            buckets = table.buckets();
            keyCodec = new KeyCodec(schema, schema.keyIndexes());
            rowCodec = new RowCodec(schema);
            output = RowViewData.projected(schema, projection);
            List<DataType> keyTypes = new ArrayList<>();
            for (int column : keyColumns) {
                keyTypes.add(schema.columns().get(column).type());
            }
            types = keyTypes.toArray(new DataType[0]);
            values = new RowDataView(keyTypes);
            key = new KeyRow(values, plan.keyPositions());
            bucketKey = new KeyRow(values, plan.bucketPositions());
            int[] bucketColumns =
                    plan.bucketPositions().stream().mapToInt(i -> keyColumns[i]).toArray();
            bucketHash =
                    plan.isOneBucket()
                            ? new BucketHash(schema, bucketColumns, buckets.size())
                            : null;
        }

        CompletableFuture<Collection<RowData>> find(RowData keyRow) {
            for (int i = 0; i < types.length; i++) {
                if (keyRow.isNullAt(i)) {
                    return CompletableFuture.completedFuture(List.of());
                }
            }
            values.replace(keyRow);
            byte[][] residuals = residuals();
            List<BucketId> asked =
                    bucketHash == null
                            ? buckets
                            : List.of(buckets.get(bucketHash.bucketOfKeyRow(bucketKey)));
            if (plan.isWholeKey()) {
                return reader.lookup(asked.get(0), List.of(keyCodec.encodeKeyRow(key)))
                        .thenApply(
                                rows ->
                                        rows(
                                                rows.stream().flatMap(Optional::stream).toList(),
                                                residuals));
            }
            byte[] prefix = keyCodec.encodeKeyPrefix(key, plan.keyPositions().size());
            CompletableFuture<Collection<RowData>> all =
                    CompletableFuture.completedFuture(new ArrayList<>());
            for (BucketId bucket : asked) {
                all =
                        all.thenCombine(
                                reader.prefixLookup(bucket, prefix),
                                (found, rows) -> {
                                    found.addAll(rows(rows, residuals));
                                    return found;
                                });
            }
            return all;
        }

        private byte[][] residuals() {
            byte[][] encoded = new byte[plan.residuals().size()][];
            for (int i = 0; i < encoded.length; i++) {
                int position = plan.residuals().get(i).position();
                encoded[i] = KeyCodec.encodeValue(types[position], values, position);
            }
            return encoded;
        }

        private Collection<RowData> rows(List<EncodedRow> encoded, byte[][] residuals) {
            List<RowData> rows = new ArrayList<>(encoded.size());
            for (EncodedRow bytes : encoded) {
                RowView row = rowCodec.decode(bytes.bytes());
                if (matches(row, residuals)) {
                    rows.add(output.copy(row));
                }
            }
            return rows;
        }

        private boolean matches(RowView row, byte[][] residuals) {
            for (int i = 0; i < residuals.length; i++) {
                LookupPlan.Residual residual = plan.residuals().get(i);
                if (row.isNullAt(residual.column())) {
                    return false;
                }
                byte[] value =
                        KeyCodec.encodeValue(types[residual.position()], row, residual.column());
                if (!Arrays.equals(value, residuals[i])) {
                    return false;
                }
            }
            return true;
        }
    }
}
