package io.flinkfluss.e2e.scale;

import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.client.write.TableWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How long a node takes to serve again after kill -9: {@code FOLDER BUCKETS ROWS...}. Writes up to
 * each number of rows into a primary-key table, kills the node and starts it again.
 */
public final class RestartTime {
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            new Column(
                                    1, "id", DataType.of(TypeRoot.BIGINT).withNullable(false), ""),
                            Column.of(2, "name", DataType.of(TypeRoot.STRING)),
                            Column.of(3, "amount", DataType.of(TypeRoot.DOUBLE))),
                    List.of("id"));

    private RestartTime() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (NodeUnderLoad node = new NodeUnderLoad(Path.of(arguments[0]))) {
            TableInfo table =
                    node.client()
                            .admin()
                            .createTable(
                                    new TablePath("fluss", "restart"),
                                    new TableDescriptor(
                                            SCHEMA,
                                            List.of(),
                                            List.of("id"),
                                            Integer.parseInt(arguments[1]),
                                            Map.of(),
                                            Map.of(),
                                            ""));
            long rows = 0;
            for (int i = 2; i < arguments.length; i++) {
                rows = write(node, table, rows, Long.parseLong(arguments[i]));
                node.describe(rows + " rows");
                node.killAndRestart();
                lookUp(node, table, rows);
            }
        }
        System.exit(0);
    }

    private static long write(NodeUnderLoad node, TableInfo table, long from, long to)
            throws InterruptedException {
        long begun = System.nanoTime();
        try (TableWriter writer = node.client().writer(table)) {
            for (long id = from; id < to; id++) {
                writer.upsert(GenericRow.of(id, "customer number " + id, id * 0.5));
            }
            writer.flush();
        }
        System.out.printf(
                Locale.ROOT,
                "%d rows written, %.0f rows/s%n",
                to,
                (to - from) / NodeUnderLoad.seconds(begun));
        return to;
    }

    /** The first answer counts, and every row asked for must be there. */
    private static void lookUp(NodeUnderLoad node, TableInfo table, long rows) {
        long begun = System.nanoTime();
        int[] key = {0};
        KeyCodec keys = new KeyCodec(SCHEMA, key);
        BucketHash hash = new BucketHash(SCHEMA, key, table.descriptor().bucketCount());
        for (long id = 0; id < rows; id += Math.max(1, rows / 10)) {
            GenericRow row = GenericRow.of(id, null, null);
            BucketId bucket = table.buckets().get(hash.bucket(row));
            List<Optional<EncodedRow>> found =
                    node.client().kvReader().lookup(bucket, List.of(keys.encode(row))).join();
            if (found.get(0).isEmpty()) {
                throw new IllegalStateException("row " + id + " is lost");
            }
        }
        System.out.printf(
                Locale.ROOT, "10 lookups after it in %.2f s%n", NodeUnderLoad.seconds(begun));
    }
}
