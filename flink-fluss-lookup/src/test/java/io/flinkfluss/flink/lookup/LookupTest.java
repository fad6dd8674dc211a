package io.flinkfluss.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.flink.connection.MemoryConnector;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingAsyncLookupProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingLookupProvider;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LookupTest {
    private static final int NOTE = 0;
    private static final int DAY = 1;
    private static final int CITY = 2;
    private static final int RANK = 3;
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(0, "note", DataType.of(TypeRoot.STRING)),
                            Column.of(1, "day", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(2, "city", DataType.of(TypeRoot.STRING).notNull()),
                            Column.of(3, "rank", DataType.of(TypeRoot.BIGINT))),
                    List.of("city", "day"));

    private final InMemoryStorageService service = new InMemoryStorageService();
    private ConnectionOptions options;

    @BeforeEach
    void register() {
        options = ConnectionOptions.of(MemoryConnector.register("lookup", service));
    }

    @AfterEach
    void unregister() {
        MemoryConnector.unregister("lookup");
    }

    private TableInfo table(String name, List<String> bucketKey) throws Exception {
        TableInfo table =
                service.admin()
                        .createTable(
                                new TablePath("fluss", name),
                                new TableDescriptor(
                                        SCHEMA, List.of(), bucketKey, 3, Map.of(), Map.of(), ""));
        BucketHash hash = new BucketHash(SCHEMA, SCHEMA.indexesOf(bucketKey), 3);
        for (int day = 1; day <= 6; day++) {
            for (String city : List.of("Bonn", "Rome")) {
                GenericRow row = GenericRow.of(city + day, day, city, day == 3 ? null : 7L * day);
                service.put(
                                table.buckets().get(hash.bucket(row)),
                                WriterStamp.NONE,
                                TestBatches.upserts(SCHEMA, row))
                        .get();
            }
        }
        return table;
    }

    private Collection<RowData> async(
            TableInfo table, int[] keys, int[] projection, Object... values) throws Exception {
        FlussAsyncLookupFunction function =
                InstantiationUtil.clone(
                        new FlussAsyncLookupFunction(table, options, keys, projection));
        function.open(null);
        try {
            return function.asyncLookup(GenericRowData.of(values)).get();
        } finally {
            function.close();
        }
    }

    private static StringData text(String value) {
        return StringData.fromString(value);
    }

    @Test
    void theWholeKeyFindsOneRowWhateverTheOrderOfTheColumns() throws Exception {
        TableInfo table = table("whole", List.of("city", "day"));
        int[] projection = {RANK, NOTE};
        assertThat(async(table, new int[] {DAY, CITY}, projection, 2, text("Rome")))
                .containsExactly(GenericRowData.of(14L, text("Rome2")));
        assertThat(async(table, new int[] {CITY, DAY}, projection, text("Bonn"), 3))
                .containsExactly(GenericRowData.of(null, text("Bonn3")));
        assertThat(async(table, new int[] {CITY, DAY}, projection, text("Oslo"), 3)).isEmpty();
        assertThat(async(table, new int[] {CITY, DAY}, projection, null, 3)).isEmpty();

        FlussLookupFunction sync =
                new FlussLookupFunction(table, options, new int[] {DAY, CITY}, projection);
        sync.open(null);
        assertThat(sync.lookup(GenericRowData.of(6, text("Bonn"))))
                .containsExactly(GenericRowData.of(42L, text("Bonn6")));
        sync.close();
    }

    @Test
    void aPrefixFindsManyRowsInOneBucketOrInAll() throws Exception {
        TableInfo oneBucket = table("one", List.of("city"));
        TableInfo allBuckets = table("all", List.of("city", "day"));
        assertThat(LookupPlan.of(oneBucket, new int[] {CITY}).isOneBucket()).isTrue();
        assertThat(LookupPlan.of(allBuckets, new int[] {CITY}).isOneBucket()).isFalse();
        for (TableInfo table : List.of(oneBucket, allBuckets)) {
            assertThat(async(table, new int[] {CITY}, new int[] {DAY}, text("Rome")))
                    .containsExactlyInAnyOrder(
                            GenericRowData.of(1),
                            GenericRowData.of(2),
                            GenericRowData.of(3),
                            GenericRowData.of(4),
                            GenericRowData.of(5),
                            GenericRowData.of(6));
        }
    }

    @Test
    void furtherColumnsAreComparedAfterTheLookup() throws Exception {
        TableInfo table = table("residual", List.of("city"));
        int[] keys = {RANK, CITY};
        assertThat(async(table, keys, new int[] {NOTE}, 35L, text("Rome")))
                .containsExactly(GenericRowData.of(text("Rome5")));
        assertThat(async(table, keys, new int[] {NOTE}, 36L, text("Rome"))).isEmpty();
        int[] whole = {CITY, NOTE, DAY};
        assertThat(async(table, whole, new int[] {NOTE}, text("Rome"), text("Rome1"), 1))
                .hasSize(1);
        assertThat(async(table, whole, new int[] {NOTE}, text("Rome"), text("Rome2"), 1)).isEmpty();
    }

    @Test
    void columnsThatFindNoRowsAreRefusedAtPlanning() throws Exception {
        TableInfo table = table("refused", List.of("city"));
        assertThatThrownBy(() -> LookupPlan.of(table, new int[] {DAY, NOTE}))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("fluss.refused")
                .hasMessageContaining("[day, note]")
                .hasMessageContaining("primary key (city, day)");
        TableInfo log =
                service.admin()
                        .createTable(
                                new TablePath("fluss", "log"),
                                new TableDescriptor(
                                        new Schema(1, SCHEMA.columns(), List.of()),
                                        List.of(),
                                        List.of(),
                                        1,
                                        Map.of(),
                                        Map.of(),
                                        ""));
        assertThatThrownBy(() -> LookupPlan.of(log, new int[] {DAY}))
                .hasMessageContaining("no primary key");
    }

    @Test
    void cachesAreThoseOfFlink() throws Exception {
        TableInfo table = table("cached", List.of("city"));
        int[] keys = {CITY, DAY};
        assertThat(LookupProviders.of(table, options, config(Map.of()), keys, keys))
                .isInstanceOf(AsyncLookupFunctionProvider.class)
                .isNotInstanceOf(PartialCachingAsyncLookupProvider.class);
        Map<String, String> partial =
                Map.of("lookup.cache", "PARTIAL", "lookup.partial-cache.max-rows", "10");
        assertThat(LookupProviders.of(table, options, config(partial), keys, keys))
                .isInstanceOf(PartialCachingAsyncLookupProvider.class);
        Map<String, String> sync =
                Map.of(
                        "lookup.cache",
                        "PARTIAL",
                        "lookup.partial-cache.max-rows",
                        "10",
                        "lookup.async",
                        "false");
        assertThat(LookupProviders.of(table, options, config(sync), keys, keys))
                .isInstanceOf(PartialCachingLookupProvider.class);
        assertThatThrownBy(
                        () ->
                                LookupProviders.of(
                                        table,
                                        options,
                                        config(Map.of("lookup.cache", "FULL")),
                                        keys,
                                        keys))
                .hasMessageContaining("use NONE or PARTIAL");
    }

    private static Configuration config(Map<String, String> options) {
        return Configuration.fromMap(options);
    }
}
