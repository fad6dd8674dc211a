package io.flinkfluss.storage.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@link TableAdmin} promises. */
abstract class AdminContract extends ContractBase {
    private TableAdmin admin() {
        return service().admin();
    }

    @Test
    public void theDatabaseFlussAlwaysExists() {
        assertThat(admin().databases()).contains("fluss");
        assertThat(admin().database("fluss").name()).isEqualTo("fluss");
    }

    @Test
    public void aDatabaseIsCreatedOnceAndKeepsWhatItWasGiven() {
        String name = newName("db_");
        admin().createDatabase(name, "comment ü", Map.of("k", "v"));
        assertThat(admin().databases()).contains(name).isSorted();
        assertThat(admin().database(name).comment()).isEqualTo("comment ü");
        assertThat(admin().database(name).properties()).isEqualTo(Map.of("k", "v"));
        assertThat(admin().tables(name)).isEmpty();
        assertCode(
                ErrorCode.DATABASE_ALREADY_EXISTS,
                () -> admin().createDatabase(name, "", Map.of()));
        admin().dropDatabase(name, TableAdmin.DropMode.RESTRICT);
        assertThat(admin().databases()).doesNotContain(name);
    }

    @Test
    public void aDatabaseThatIsMissingIsNamed() {
        String name = newName("missing_");
        assertCode(ErrorCode.DATABASE_NOT_FOUND, () -> admin().database(name));
        assertCode(ErrorCode.DATABASE_NOT_FOUND, () -> admin().tables(name));
        assertCode(
                ErrorCode.DATABASE_NOT_FOUND,
                () -> admin().dropDatabase(name, TableAdmin.DropMode.CASCADE));
        assertCode(
                ErrorCode.DATABASE_NOT_FOUND,
                () ->
                        admin().createTable(
                                        new TablePath(name, "t"),
                                        descriptor(LOG_SCHEMA, Map.of())));
        assertCode(ErrorCode.DATABASE_NOT_FOUND, () -> admin().table(new TablePath(name, "t")));
        assertThatThrownBy(() -> admin().database(name)).hasMessageContaining(name);
    }

    @Test
    public void aDatabaseWithTablesIsDroppedOnlyWithCascade() {
        String name = newName("db_");
        admin().createDatabase(name, "", Map.of());
        TableInfo table =
                admin().createTable(new TablePath(name, "t"), descriptor(LOG_SCHEMA, Map.of()));
        assertCode(
                ErrorCode.DATABASE_NOT_EMPTY,
                () -> admin().dropDatabase(name, TableAdmin.DropMode.RESTRICT));
        admin().dropDatabase(name, TableAdmin.DropMode.CASCADE);
        assertThat(admin().databases()).doesNotContain(name);
        assertCode(
                ErrorCode.TABLE_NOT_FOUND,
                () -> service().logReader().offsets(table.buckets(), new OffsetSpec.Latest()));
    }

    @Test
    public void badNamesAreRefused() {
        for (String name : List.of("", "a b", "__x", "x".repeat(201), "a/b", "ä")) {
            assertCode(ErrorCode.INVALID_NAME, () -> admin().createDatabase(name, "", Map.of()));
            assertCode(
                    ErrorCode.INVALID_NAME,
                    () ->
                            admin().createTable(
                                            new TablePath("fluss", name),
                                            descriptor(LOG_SCHEMA, Map.of())));
        }
    }

    @Test
    public void aTableKeepsWhatItWasGiven() {
        TablePath path = newPath();
        TableDescriptor descriptor =
                descriptor(KEYED_SCHEMA, Map.of("table.log.arrow.compression.type", "LZ4_FRAME"));
        TableInfo created = admin().createTable(path, descriptor);
        assertThat(created.path()).isEqualTo(path);
        assertThat(created.descriptor()).isEqualTo(descriptor);
        assertThat(admin().table(path)).isEqualTo(created);
        assertThat(admin().tables("fluss")).contains(path.table()).isSorted();
        assertCode(ErrorCode.TABLE_ALREADY_EXISTS, () -> admin().createTable(path, descriptor));
    }

    @Test
    public void aKeyedTableWithoutBucketKeyGetsItsPrimaryKey() {
        TableDescriptor descriptor =
                new TableDescriptor(KEYED_SCHEMA, List.of(), List.of(), 3, Map.of(), Map.of(), "");
        TableInfo created = admin().createTable(newPath(), descriptor);
        assertThat(created.descriptor().bucketKey()).containsExactly("city", "day");
    }

    @Test
    public void aDroppedAndRecreatedTableIsAnotherAndEmpty() throws Exception {
        TablePath path = newPath();
        TableInfo first = admin().createTable(path, descriptor(LOG_SCHEMA, Map.of()));
        append(bucket(first, 0), row(1, "a", 1.0));
        admin().dropTable(path);
        assertCode(ErrorCode.TABLE_NOT_FOUND, () -> admin().table(path));
        assertCode(ErrorCode.TABLE_NOT_FOUND, () -> admin().dropTable(path));
        assertCode(ErrorCode.TABLE_NOT_FOUND, () -> append(bucket(first, 0), row(1, "a", 1.0)));

        TableInfo second = admin().createTable(path, descriptor(LOG_SCHEMA, Map.of()));
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(service().logReader().offsets(second.buckets(), new OffsetSpec.Latest()))
                .containsOnly(Map.entry(bucket(second, 0), 0L), Map.entry(bucket(second, 1), 0L));
    }

    @Test
    public void anUnknownTableIdIsRefusedEverywhere() {
        BucketId unknown = BucketId.of(new TableId(Long.MAX_VALUE - 7), 0);
        assertCode(ErrorCode.TABLE_NOT_FOUND, () -> append(unknown, row(1, "a", 1.0)));
        assertCode(ErrorCode.TABLE_NOT_FOUND, () -> put(unknown, upserts(keyed("a", 1, ""))));
        assertCode(
                ErrorCode.TABLE_NOT_FOUND,
                () -> get(service().kvReader().lookup(unknown, List.of(new byte[] {1}))));
        assertCode(ErrorCode.TABLE_NOT_FOUND, () -> service().kvReader().snapshot(unknown.table()));
    }

    @Test
    public void anUnknownOptionNamesTheClosest() {
        TableDescriptor descriptor = descriptor(LOG_SCHEMA, Map.of("table.log.tll", "1 d"));
        assertCode(ErrorCode.UNKNOWN_OPTION, () -> admin().createTable(newPath(), descriptor));
        assertThatThrownBy(() -> admin().createTable(newPath(), descriptor))
                .hasMessageContaining("table.log.tll")
                .hasMessageContaining("did you mean 'table.log.ttl'");
    }

    @Test
    public void whatATableCannotBeIsRefusedWhenItIsCreated() {
        assertCode(
                ErrorCode.INVALID_OPTION,
                () ->
                        admin().createTable(
                                        newPath(),
                                        descriptor(
                                                LOG_SCHEMA, Map.of("table.log.ttl", "eternity"))));
        assertCode(
                ErrorCode.UNSUPPORTED,
                () ->
                        admin().createTable(
                                        newPath(),
                                        descriptor(
                                                KEYED_SCHEMA,
                                                Map.of("table.merge-engine", "versioned"))));
        Schema nullableKey =
                new Schema(
                        1,
                        List.of(Column.of(0, "city", DataType.of(TypeRoot.INT))),
                        List.of("city"));
        assertCode(
                ErrorCode.INVALID_TABLE,
                () -> admin().createTable(newPath(), descriptor(nullableKey, Map.of())));
        TableDescriptor partitioned =
                new TableDescriptor(
                        LOG_SCHEMA, List.of("id"), List.of(), 1, Map.of(), Map.of(), "");
        assertCode(ErrorCode.UNSUPPORTED, () -> admin().createTable(newPath(), partitioned));
    }
}
