package io.flinkfluss.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.flink.connection.MemoryConnector;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.options.SinkOptions.DistributionMode;
import io.flinkfluss.flink.sink.writer.MemoryRowWriter;
import io.flinkfluss.flink.type.FlinkTypes;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.expressions.CallExpression;
import org.apache.flink.table.expressions.FieldReferenceExpression;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.expressions.ValueLiteralExpression;
import org.apache.flink.table.functions.BuiltInFunctionDefinitions;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FlussSinkTest {
    private static final List<Column> COLUMNS =
            List.of(
                    Column.of(0, "name", DataType.of(TypeRoot.STRING)),
                    Column.of(1, "id", DataType.of(TypeRoot.INT).notNull()));
    private static final Schema KEYED = new Schema(1, COLUMNS, List.of("id"));
    private static final Schema LOG = new Schema(1, COLUMNS, List.of());

    private final InMemoryStorageService service = new InMemoryStorageService();
    private ConnectionOptions options;

    @BeforeEach
    void register() {
        options = ConnectionOptions.of(MemoryConnector.register("sink", service));
    }

    @AfterEach
    void unregister() {
        MemoryConnector.unregister("sink");
    }

    private TableInfo table(Schema schema) {
        return service.admin()
                .createTable(
                        new TablePath("fluss", "t"),
                        new TableDescriptor(
                                schema, List.of(), List.of(), 4, Map.of(), Map.of(), ""));
    }

    private static RowData row(RowKind kind, String name, int id) {
        return GenericRowData.ofKind(kind, StringData.fromString(name), id);
    }

    private void run(TableInfo table, SinkSettings settings, List<RowData> rows) throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment();
        environment.setParallelism(3);
        environment
                .fromData(rows, InternalTypeInfo.of(FlinkTypes.toFlink(table.schema())))
                .sinkTo(FlussSink.of(table, options, settings, MemoryRowWriter::new));
        environment.execute();
    }

    @Test
    void changesOfAKeyStayInOrderWithManyWriters() throws Exception {
        TableInfo table = table(KEYED);
        List<RowData> rows = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            for (int id = 0; id < 30; id++) {
                if (round > 0) {
                    rows.add(row(RowKind.UPDATE_BEFORE, "round " + (round - 1), id));
                }
                rows.add(
                        row(
                                round == 0 ? RowKind.INSERT : RowKind.UPDATE_AFTER,
                                "round " + round,
                                id));
            }
        }
        rows.add(row(RowKind.DELETE, "round 19", 7));
        run(table, SinkSettings.DEFAULT, rows);
        List<GenericRow> expected = new ArrayList<>();
        for (int id = 0; id < 30; id++) {
            if (id != 7) {
                expected.add(GenericRow.of("round 19", id));
            }
        }
        assertThat(currentRows(table)).containsExactlyInAnyOrderElementsOf(expected);
        // One insert per key, then two rows per update, then one delete: no old row was written.
        assertThat(logRows(table)).isEqualTo(30 + 2 * 19 * 30 + 1);
    }

    private List<GenericRow> currentRows(TableInfo table) {
        KvSnapshot snapshot = service.snapshot(table.id());
        List<GenericRow> rows = new ArrayList<>();
        for (BucketId bucket : table.buckets()) {
            var batches =
                    service.scan(
                            new KvScanRequest(bucket, snapshot.snapshotId(), new byte[0], null));
            while (!batches.isFinished()) {
                rows.addAll(TestBatches.rows(table.schema(), null, batches.poll().orElseThrow()));
            }
        }
        return rows;
    }

    private long logRows(TableInfo table) {
        return service.offsets(table.buckets(), new OffsetSpec.Latest()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Test
    void deletesAreLeftOutWhenAskedFor() throws Exception {
        TableInfo table = table(KEYED);
        run(
                table,
                new SinkSettings(DistributionMode.BUCKET, true),
                List.of(row(RowKind.INSERT, "a", 1), row(RowKind.DELETE, "a", 1)));
        assertThat(currentRows(table)).containsExactly(GenericRow.of("a", 1));
    }

    @Test
    void aLogTableTakesInsertsOnly() throws Exception {
        TableInfo table = table(LOG);
        run(
                table,
                SinkSettings.DEFAULT,
                List.of(row(RowKind.INSERT, "a", 1), row(RowKind.INSERT, "b", 2)));
        assertThat(logRows(table)).isEqualTo(2);
        assertThatThrownBy(
                        () ->
                                run(
                                        table,
                                        SinkSettings.DEFAULT,
                                        List.of(row(RowKind.DELETE, "a", 1))))
                .hasStackTraceContaining("fluss.t is a log table and takes only inserts");
        run(
                table,
                new SinkSettings(DistributionMode.NONE, true),
                List.of(row(RowKind.UPDATE_AFTER, "a2", 1), row(RowKind.DELETE, "a", 1)));
        assertThat(logRows(table)).isEqualTo(3);
    }

    @Test
    void aNullInTheKeyFailsAndNamesTheColumn() {
        TableInfo table = table(KEYED);
        assertThatThrownBy(
                        () ->
                                run(
                                        table,
                                        SinkSettings.DEFAULT,
                                        List.of(
                                                GenericRowData.of(
                                                        StringData.fromString("a"), null))))
                .hasStackTraceContaining("id");
    }

    private FlussTableSink tableSink(TableInfo table, Map<String, String> config) {
        return new FlussTableSink(
                table, options, Configuration.fromMap(config), MemoryRowWriter::new);
    }

    @Test
    void theChangelogModeFitsTheTable() {
        TableInfo keyed = table(KEYED);
        ChangelogMode upsert = tableSink(keyed, Map.of()).getChangelogMode(ChangelogMode.all());
        assertThat(upsert.contains(RowKind.UPDATE_BEFORE)).isFalse();
        assertThat(upsert.contains(RowKind.DELETE)).isTrue();
        assertThat(tableSink(keyed, Map.of()).getChangelogMode(ChangelogMode.insertOnly()))
                .isEqualTo(ChangelogMode.insertOnly());
        service.admin().dropTable(keyed.path());
        TableInfo log = table(LOG);
        assertThat(tableSink(log, Map.of()).getChangelogMode(ChangelogMode.insertOnly()))
                .isEqualTo(ChangelogMode.insertOnly());
        assertThatThrownBy(() -> tableSink(log, Map.of()).getChangelogMode(ChangelogMode.all()))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("sink.ignore-delete");
        assertThatThrownBy(() -> tableSink(log, Map.of()).applyRowLevelDelete(null))
                .hasMessageContaining("DELETE FROM fluss.t is not possible");
    }

    @Test
    void theDistributionMustFitTheTable() {
        TableInfo log = table(LOG);
        assertThatThrownBy(
                        () ->
                                new SinkSettings(DistributionMode.BUCKET, false)
                                        .shufflesByBucket(log))
                .hasMessageContaining("no bucket key");
        assertThat(SinkSettings.of(Configuration.fromMap(Map.of("sink.bucket-shuffle", "false"))))
                .isEqualTo(new SinkSettings(DistributionMode.NONE, false));
    }

    @Test
    void aDeleteOfOneKeyNeedsNoJob() throws Exception {
        TableInfo table = table(KEYED);
        run(
                table,
                SinkSettings.DEFAULT,
                List.of(row(RowKind.INSERT, "a", 1), row(RowKind.INSERT, "b", 2)));
        FlussTableSink sink = tableSink(table, Map.of());
        assertThat(sink.applyDeleteFilters(List.of(equals("name", DataTypes.STRING(), "a"))))
                .isFalse();
        assertThat(sink.applyDeleteFilters(List.of())).isFalse();
        assertThat(sink.applyDeleteFilters(List.of(equals("id", DataTypes.INT(), 1)))).isTrue();
        sink.executeDeletion();
        assertThat(currentRows(table)).containsExactly(GenericRow.of("b", 2));
    }

    private static ResolvedExpression equals(
            String column, org.apache.flink.table.types.DataType type, Object value) {
        return CallExpression.permanent(
                BuiltInFunctionDefinitions.EQUALS,
                List.of(
                        new FieldReferenceExpression(column, type, 0, 0),
                        new ValueLiteralExpression(value, type.notNull())),
                DataTypes.BOOLEAN());
    }
}
