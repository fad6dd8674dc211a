package io.flinkfluss.storage.api.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class TableRulesTest {
    private static final TablePath PATH = new TablePath("fluss", "t");
    private static final TableRules.Service SERVICE =
            new TableRules.Service(1, Map.of("format", "iceberg"));
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(0, "id", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(1, "part", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(2, "name", DataType.of(TypeRoot.STRING))),
                    List.of("id", "part"));

    private static TableDescriptor table(Schema schema, List<String> bucketKey) {
        return new TableDescriptor(schema, List.of(), bucketKey, 4, Map.of(), Map.of(), "");
    }

    private static TableDescriptor with(String key, String value) {
        return new TableDescriptor(
                SCHEMA, List.of(), List.of("id"), 4, Map.of(key, value), Map.of(), "");
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(
            TableDescriptor descriptor, ErrorCode code) {
        return assertThatThrownBy(() -> TableRules.check(PATH, descriptor, SERVICE))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void everyOptionsDefaultIsAllowed() {
        for (TableOption option : TableOption.values()) {
            assertThatCode(
                            () ->
                                    TableRules.check(
                                            PATH,
                                            with(option.key(), option.defaultValue()),
                                            SERVICE))
                    .as(option.key())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void theBucketKeyIsThePrimaryKeyUnlessNamed() {
        assertThat(TableRules.check(PATH, table(SCHEMA, List.of()), SERVICE).bucketKey())
                .containsExactly("id", "part");
        assertThat(TableRules.check(PATH, table(SCHEMA, List.of("part")), SERVICE).bucketKey())
                .containsExactly("part");
        refused(table(SCHEMA, List.of("name")), ErrorCode.INVALID_TABLE)
                .hasMessageContaining("bucket key column name");
        refused(table(SCHEMA, List.of("id", "id")), ErrorCode.INVALID_TABLE);
    }

    @Test
    void namesThatCouldHurtAreRefused() {
        for (String name :
                List.of("", "a b", "a/b", "..", "__x", "ü", "a".repeat(201), "a\n", "t$lake")) {
            assertThatThrownBy(() -> TableRules.checkDatabaseName(name))
                    .as(name)
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_NAME));
        }
        TableRules.checkTablePath(new TablePath("a-B_9", "_x"));
    }

    @Test
    void columnsAreChecked() {
        Column id = SCHEMA.columns().get(0);
        refused(table(new Schema(1, List.of(), List.of()), List.of()), ErrorCode.INVALID_TABLE);
        refused(
                        table(
                                new Schema(
                                        1,
                                        List.of(
                                                id,
                                                Column.of(
                                                        1,
                                                        "_change_type",
                                                        DataType.of(TypeRoot.STRING))),
                                        List.of()),
                                List.of()),
                        ErrorCode.INVALID_TABLE)
                .hasMessageContaining("column _change_type");
        refused(
                        table(
                                new Schema(
                                        1,
                                        List.of(Column.of(0, "k", DataType.of(TypeRoot.INT))),
                                        List.of("k")),
                                List.of()),
                        ErrorCode.INVALID_TABLE)
                .hasMessageContaining("NOT NULL");
    }

    @Test
    void partitionsAreNotSupportedYet() {
        refused(
                new TableDescriptor(SCHEMA, List.of("part"), List.of(), 1, Map.of(), Map.of(), ""),
                ErrorCode.UNSUPPORTED);
    }

    @Test
    void anUnknownOptionNamesTheClosest() {
        refused(with("table.datalake.enable", "true"), ErrorCode.UNKNOWN_OPTION)
                .hasMessageContaining("did you mean 'table.datalake.enabled'?");
    }

    @Test
    void valuesAreChecked() {
        refused(with("table.log.format", "INDEXED"), ErrorCode.UNSUPPORTED);
        refused(with("table.merge-engine", "first_row"), ErrorCode.UNSUPPORTED);
        refused(with("table.merge-engine", "nonsense"), ErrorCode.INVALID_OPTION);
        refused(with("table.log.arrow.compression.zstd.level", "23"), ErrorCode.INVALID_OPTION)
                .hasMessageContaining("from 1 to 22");
        refused(with("table.replication.factor", "3"), ErrorCode.INVALID_OPTION);
        refused(with("table.datalake.freshness", "soon"), ErrorCode.INVALID_OPTION);
        refused(with("table.datalake.freshness", "0 s"), ErrorCode.INVALID_OPTION);
        refused(with("table.datalake.enabled", "yes"), ErrorCode.INVALID_OPTION);
        refused(with("table.statistics.columns", "id,nam"), ErrorCode.INVALID_OPTION);
        refused(with("table.log.local-ttl", "8 d"), ErrorCode.INVALID_OPTION)
                .hasMessageContaining("table.log.ttl");
    }

    @Test
    void aLakeTableNeedsALake() {
        TableDescriptor lake = with("table.datalake.enabled", "true");
        TableRules.check(PATH, lake, SERVICE);
        assertThatThrownBy(() -> TableRules.check(PATH, lake, new TableRules.Service(1, Map.of())))
                .hasMessageContaining("has no lake");
        assertThatThrownBy(
                        () ->
                                TableRules.check(
                                        PATH,
                                        lake,
                                        new TableRules.Service(1, Map.of("format", "paimon"))))
                .hasMessageContaining("'paimon'");
    }

    @Test
    void durationsAreReadAsFlinkReadsThem() {
        assertThat(DurationText.parse("7 d")).isEqualTo(Duration.ofDays(7));
        assertThat(DurationText.parse("3min")).isEqualTo(Duration.ofMinutes(3));
        assertThat(DurationText.parse("10 S")).isEqualTo(Duration.ofSeconds(10));
        assertThat(DurationText.parse("500")).isEqualTo(Duration.ofMillis(500));
        assertThatThrownBy(() -> DurationText.parse("-1 s"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DurationText.parse("999999999999999999 d"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
