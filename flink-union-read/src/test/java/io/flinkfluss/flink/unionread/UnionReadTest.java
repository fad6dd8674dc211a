package io.flinkfluss.flink.unionread;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.flink.connection.MemoryConnector;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.unionread.plan.UnionScan;
import io.flinkfluss.flink.unionread.plan.UnionScan.Tiers;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.WriterStamp;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.core.io.InputStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnionReadTest {
    private static final int BUCKETS = 2;
    private static final int[] ALL = {0, 1};

    private final InMemoryStorageService service = new InMemoryStorageService();
    private String servers;

    @TempDir Path folder;

    @BeforeEach
    void register() {
        MemoryLake.clear();
        servers = MemoryConnector.register("union-read", service);
    }

    @AfterEach
    void unregister() {
        MemoryConnector.unregister("union-read");
    }

    @Test
    void aLogTableIsItsLakeRowsAndThenItsTail() throws Exception {
        TableInfo table = create("log", List.of());
        append(table, 0, 1, 2, 3);
        append(table, 1, 10);
        tier(table, Map.of(0, rows(1, 2, 3), 1, rows(10)));
        append(table, 0, 4);

        assertThat(readAll(scan(table, ALL, Tiers.BOUNDED)))
                .containsExactlyInAnyOrder("+I 1 t1", "+I 2 t2", "+I 3 t3", "+I 4 t4", "+I 10 t10");
        assertThat(readAll(scan(table, ALL, Tiers.LAKE))).hasSize(4).doesNotContain("+I 4 t4");
    }

    @Test
    void aTableThatWasNeverTieredIsReadFromItsLog() throws Exception {
        TableInfo log = create("log", List.of());
        append(log, 1, 1, 2);
        TableInfo keyed = create("keyed", List.of("id"));
        upsert(keyed, 1, "one");
        upsert(keyed, 2, "two");
        delete(keyed, 1);

        assertThat(readAll(scan(log, ALL, Tiers.BOUNDED))).containsExactly("+I 1 t1", "+I 2 t2");
        assertThat(readAll(scan(keyed, ALL, Tiers.BOUNDED))).containsExactly("+I 2 two");
        assertThat(readAll(scan(keyed, ALL, Tiers.LAKE))).isEmpty();
    }

    @Test
    void rowsAreCountedWithoutColumns() throws Exception {
        TableInfo log = create("log", List.of());
        append(log, 0, 1, 2);
        tier(log, Map.of(0, rows(1, 2)));
        append(log, 0, 3);
        TableInfo keyed = create("keyed", List.of("id"));
        upsert(keyed, 1, "one");
        tier(keyed, Map.of(bucketOf(1), List.<Object[]>of(new Object[] {1, "one"})));
        upsert(keyed, 2, "two");

        assertThat(readAll(scan(log, new int[0], Tiers.BOUNDED))).containsExactly("+I", "+I", "+I");
        assertThat(readAll(scan(keyed, new int[0], Tiers.BOUNDED))).containsExactly("+I", "+I");
    }

    @Test
    void columnsComeInTheAskedOrderFromBothTiers() throws Exception {
        TableInfo keyed = create("keyed", List.of("id"));
        upsert(keyed, 1, "one");
        tier(keyed, Map.of(bucketOf(1), List.<Object[]>of(new Object[] {1, "one"})));
        upsert(keyed, 2, "two");

        assertThat(readAll(scan(keyed, new int[] {1}, Tiers.BOUNDED)))
                .containsExactlyInAnyOrder("+I one", "+I two");
        assertThat(readAll(scan(keyed, new int[] {1, 0}, Tiers.BOUNDED)))
                .containsExactlyInAnyOrder("+I one 1", "+I two 2");
    }

    @Test
    void anEmptyTableEndsAtOnce() throws Exception {
        TableInfo table = create("log", List.of());
        try (ReaderHarness reader = harness(scan(table, ALL, Tiers.BOUNDED)).start()) {
            assertThat(reader.poll()).isEqualTo(InputStatus.END_OF_INPUT);
        }
    }

    @Test
    void aLimitEndsTheReaderEarly() throws Exception {
        TableInfo table = create("log", List.of());
        append(table, 0, 1, 2, 3, 4, 5);
        tier(table, Map.of(0, rows(1, 2, 3, 4, 5)));

        assertThat(readAll(scan(table, ALL, Tiers.BOUNDED).withLimit(3))).hasSize(3);
    }

    @Test
    void anUnboundedReadGoesOnWithWhatComesLater() throws Exception {
        TableInfo keyed = create("keyed", List.of("id"));
        upsert(keyed, 1, "one");
        tier(keyed, Map.of(bucketOf(1), List.<Object[]>of(new Object[] {1, "one"})));
        upsert(keyed, 1, "uno");
        try (ReaderHarness reader = harness(scan(keyed, ALL, Tiers.UNBOUNDED)).start()) {
            assertThat(reader.read(3)).containsExactly("+I 1 one", "-U 1 one", "+U 1 uno");
            delete(keyed, 1);
            assertThat(reader.read(4)).last().isEqualTo("-D 1 uno");
            upsert(keyed, 2, "two");
            assertThat(reader.read(5)).last().isEqualTo("+I 2 two");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyTierBoundaryGivesTheSameTable(long seed) throws Exception {
        Random random = new Random(seed);
        TableInfo table = create("keyed", List.of("id"));
        Map<Integer, String> model = new TreeMap<>();
        for (int round = 0; round < 4; round++) {
            int changes = random.nextInt(60);
            for (int i = 0; i < changes; i++) {
                int id = random.nextInt(30);
                if (random.nextInt(3) == 0) {
                    delete(table, id);
                    model.remove(id);
                } else {
                    String text = "r" + round + "-" + i;
                    upsert(table, id, text);
                    model.put(id, text);
                }
            }
            UnionScan bounded =
                    scan(table, ALL, Tiers.BOUNDED).withMergeMemory(1 + random.nextInt(4000));
            assertThat(readAll(bounded)).containsExactlyInAnyOrderElementsOf(inserts(model));
            assertThat(foldOfAStreamWithRestarts(table, random)).isEqualTo(model);
            if (random.nextBoolean()) {
                tierModel(table, model);
                assertThat(readAll(bounded)).containsExactlyInAnyOrderElementsOf(inserts(model));
            }
        }
    }

    /** Follows the table until a marker row, with readers that stop and restore now and then. */
    private Map<Integer, String> foldOfAStreamWithRestarts(TableInfo table, Random random)
            throws Exception {
        upsert(table, -1, "end of bucket");
        upsert(table, -2, "end of bucket");
        delete(table, -1);
        delete(table, -2);
        Map<Integer, String> folded = new TreeMap<>();
        try (ReaderHarness reader = harness(scan(table, ALL, Tiers.UNBOUNDED)).start()) {
            while (reader.rows().stream().filter(row -> row.startsWith("-D -")).count()
                    < endMarkers(table)) {
                reader.poll();
                if (random.nextInt(5) == 0) {
                    reader.restart();
                }
            }
            for (String row : reader.rows()) {
                String[] parts = row.split(" ", 3);
                int id = Integer.parseInt(parts[1]);
                switch (parts[0]) {
                    case "+I" -> assertThat(folded.put(id, parts[2])).as(row).isNull();
                    case "-U" -> assertThat(folded.get(id)).as(row).isEqualTo(parts[2]);
                    case "+U" -> folded.put(id, parts[2]);
                    default -> assertThat(folded.remove(id)).as(row).isEqualTo(parts[2]);
                }
            }
        }
        return folded;
    }

    /** Deletes of marker rows that the log behind the seam holds. */
    private long endMarkers(TableInfo table) throws Exception {
        try (ReaderHarness log = harness(scan(table, ALL, Tiers.UNBOUNDED))) {
            List<UnionSplit> plan = new TablePinner(scan(table, ALL, Tiers.UNBOUNDED)).plan();
            long rows = 0;
            Map<BucketId, Long> ends =
                    service.logReader().offsets(table.buckets(), new OffsetSpec.Latest());
            List<UnionSplit> logOnly = new ArrayList<>();
            for (UnionSplit split : plan) {
                rows += ends.get(split.log().get(0).bucket()) - split.log().get(0).start();
                logOnly.add(
                        new UnionSplit(
                                split.splitId(), split.reading(), List.of(), split.log(), 0));
            }
            return log.start(logOnly).read((int) rows).stream()
                    .filter(row -> row.startsWith("-D -"))
                    .count();
        }
    }

    private static List<String> inserts(Map<Integer, String> model) {
        return model.entrySet().stream().map(e -> "+I " + e.getKey() + " " + e.getValue()).toList();
    }

    private List<String> readAll(UnionScan scan) throws Exception {
        try (ReaderHarness reader = harness(scan).start()) {
            return reader.readAll();
        }
    }

    private ReaderHarness harness(UnionScan scan) {
        return new ReaderHarness(scan, folder.toString());
    }

    private UnionScan scan(TableInfo table, int[] projection, Tiers tiers) {
        return UnionScan.of(
                table, ConnectionOptions.of(servers), MemoryLake.settings(), projection, tiers);
    }

    private TableInfo create(String name, List<String> primaryKey) {
        Schema schema =
                new Schema(
                        1,
                        List.of(
                                Column.of(1, "id", DataType.of(TypeRoot.INT).notNull()),
                                Column.of(2, "text", DataType.of(TypeRoot.STRING))),
                        primaryKey);
        return service.admin()
                .createTable(
                        new TablePath("fluss", name),
                        new TableDescriptor(
                                schema, List.of(), primaryKey, BUCKETS, Map.of(), Map.of(), ""));
    }

    private static int bucketOf(int id) {
        return Math.floorMod(id, BUCKETS);
    }

    private void append(TableInfo table, int bucket, int... ids) {
        GenericRow[] batch = new GenericRow[ids.length];
        for (int i = 0; i < ids.length; i++) {
            batch[i] = GenericRow.of(ids[i], "t" + ids[i]);
        }
        service.logAppender()
                .append(
                        BucketId.of(table.id(), bucket),
                        WriterStamp.NONE,
                        TestBatches.arrow(table.schema(), batch))
                .join();
    }

    private void upsert(TableInfo table, int id, String text) {
        service.kvWriter()
                .put(
                        BucketId.of(table.id(), bucketOf(id)),
                        WriterStamp.NONE,
                        TestBatches.upserts(table.schema(), GenericRow.of(id, text)))
                .join();
    }

    private void delete(TableInfo table, int id) {
        service.kvWriter()
                .put(
                        BucketId.of(table.id(), bucketOf(id)),
                        WriterStamp.NONE,
                        TestBatches.deletes(table.schema(), GenericRow.of(id, null)))
                .join();
    }

    private static List<Object[]> rows(int... ids) {
        List<Object[]> rows = new ArrayList<>();
        for (int id : ids) {
            rows.add(new Object[] {id, "t" + id});
        }
        return rows;
    }

    private void tierModel(TableInfo table, Map<Integer, String> model) {
        Map<Integer, List<Object[]>> rows = new HashMap<>();
        model.forEach(
                (id, text) ->
                        rows.computeIfAbsent(bucketOf(id), bucket -> new ArrayList<>())
                                .add(new Object[] {id, text}));
        tier(table, rows);
    }

    private void tier(TableInfo table, Map<Integer, List<Object[]>> rows) {
        MemoryLake.commit(
                table,
                service.logReader().offsets(table.buckets(), new OffsetSpec.Latest()),
                rows,
                2);
    }
}
