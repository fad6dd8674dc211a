package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.verify.check.BucketHistory;
import io.flinkfluss.verify.check.Findings;
import io.flinkfluss.verify.check.Writers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The tables under test.
 *
 * @param rows a log table whose buckets its writers choose freely
 * @param batches a log table, each bucket written batch by batch
 * @param keys a primary-key table, each key written by one client
 * @param registers a primary-key table, each key written and looked up by several clients
 */
public record TestTables(TestTable rows, TestTable batches, TestTable keys, TestTable registers) {
    private static final DataType NUMBER = DataType.of(TypeRoot.BIGINT);
    private static final DataType TEXT = DataType.of(TypeRoot.STRING);

    /** Creates them. */
    public static TestTables create(TableAdmin admin, Writers writers, Findings findings) {
        return new TestTables(
                create(admin, "rows", logSchema(), 4, writers, findings),
                create(admin, "batches", logSchema(), 4, writers, findings),
                create(admin, "keys", keyedSchema(), 4, writers, findings),
                create(admin, "registers", keyedSchema(), 4, writers, findings));
    }

    public List<TestTable> all() {
        return List.of(rows, batches, keys, registers);
    }

    private static Schema logSchema() {
        return new Schema(
                1,
                List.of(
                        Column.of(1, "writer", NUMBER),
                        Column.of(2, "seq", NUMBER),
                        Column.of(3, "text", TEXT)),
                List.of());
    }

    private static Schema keyedSchema() {
        return new Schema(
                1,
                List.of(
                        Column.of(1, "k", NUMBER.notNull()),
                        Column.of(2, "writer", NUMBER),
                        Column.of(3, "seq", NUMBER),
                        Column.of(4, "text", TEXT)),
                List.of("k"));
    }

    private static TestTable create(
            TableAdmin admin,
            String name,
            Schema schema,
            int buckets,
            Writers writers,
            Findings findings) {
        TableInfo info =
                admin.createTable(
                        new TablePath("fluss", name),
                        new TableDescriptor(
                                schema, List.of(), List.of(), buckets, Map.of(), Map.of(), ""));
        List<BucketHistory> histories = new ArrayList<>();
        for (int i = 0; i < buckets; i++) {
            String bucket = name + "/" + i;
            histories.add(
                    info.hasPrimaryKey()
                            ? BucketHistory.ofChangelog(bucket, writers, findings)
                            : BucketHistory.ofLog(bucket, writers, findings));
        }
        return new TestTable(info, histories);
    }
}
