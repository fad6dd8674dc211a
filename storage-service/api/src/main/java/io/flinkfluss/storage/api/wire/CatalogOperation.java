package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.TableAdmin.DropMode;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Operations on databases and tables: the calls of {@link TableAdmin}. */
public sealed interface CatalogOperation<A> extends AdminOperation<A> {
    AnswerCodec<TableInfo> TABLE =
            new AnswerCodec<>(MetadataCodec::writeTableInfo, MetadataCodec::readTableInfo);
    AnswerCodec<DatabaseInfo> DATABASE =
            new AnswerCodec<>(MetadataCodec::writeDatabaseInfo, MetadataCodec::readDatabaseInfo);

    AnswerCodec<A> answer();

    A run(TableAdmin admin);

    @Override
    default A execute(StorageService service, Supplier<ClusterView> cluster) {
        return run(service.admin());
    }

    @Override
    default void writeAnswer(WireOutput output, A answer) {
        answer().writer().accept(output, answer);
    }

    @Override
    default A readAnswer(WireInput input) {
        return answer().reader().apply(input);
    }

    /** An operation that only reads. */
    sealed interface Query<A> extends CatalogOperation<A> {
        @Override
        default boolean isRepeatable() {
            return true;
        }
    }

    /** An operation that changes something and fails when it is already done. */
    sealed interface Change<A> extends CatalogOperation<A> {
        @Override
        default boolean isRepeatable() {
            return false;
        }
    }

    /** {@code fluss.list-databases} */
    record ListDatabases() implements Query<List<String>> {
        @Override
        public void write(WireOutput output) {}

        @Override
        public AnswerCodec<List<String>> answer() {
            return AnswerCodec.STRINGS;
        }

        @Override
        public List<String> run(TableAdmin admin) {
            return admin.databases();
        }
    }

    /** {@code fluss.get-database} */
    record GetDatabase(String name) implements Query<DatabaseInfo> {
        static GetDatabase read(WireInput input) {
            return new GetDatabase(input.readString());
        }

        @Override
        public void write(WireOutput output) {
            output.writeString(name);
        }

        @Override
        public AnswerCodec<DatabaseInfo> answer() {
            return DATABASE;
        }

        @Override
        public DatabaseInfo run(TableAdmin admin) {
            return admin.database(name);
        }
    }

    /** {@code fluss.create-database} */
    record CreateDatabase(String name, String comment, Map<String, String> properties)
            implements Change<Void> {
        static CreateDatabase read(WireInput input) {
            return new CreateDatabase(
                    input.readString(), input.readString(), input.readStringMap());
        }

        @Override
        public void write(WireOutput output) {
            output.writeString(name).writeString(comment).writeStrings(properties);
        }

        @Override
        public AnswerCodec<Void> answer() {
            return AnswerCodec.NOTHING;
        }

        @Override
        public Void run(TableAdmin admin) {
            admin.createDatabase(name, comment, properties);
            return null;
        }
    }

    /** {@code fluss.drop-database} */
    record DropDatabase(String name, DropMode mode) implements Change<Void> {
        static DropDatabase read(WireInput input) {
            return new DropDatabase(
                    input.readString(), input.readBoolean() ? DropMode.CASCADE : DropMode.RESTRICT);
        }

        @Override
        public void write(WireOutput output) {
            output.writeString(name).writeBoolean(mode == DropMode.CASCADE);
        }

        @Override
        public AnswerCodec<Void> answer() {
            return AnswerCodec.NOTHING;
        }

        @Override
        public Void run(TableAdmin admin) {
            admin.dropDatabase(name, mode);
            return null;
        }
    }

    /** {@code fluss.list-tables} */
    record ListTables(String database) implements Query<List<String>> {
        static ListTables read(WireInput input) {
            return new ListTables(input.readString());
        }

        @Override
        public void write(WireOutput output) {
            output.writeString(database);
        }

        @Override
        public AnswerCodec<List<String>> answer() {
            return AnswerCodec.STRINGS;
        }

        @Override
        public List<String> run(TableAdmin admin) {
            return admin.tables(database);
        }
    }

    /** {@code fluss.get-table} */
    record GetTable(TablePath path) implements Query<TableInfo> {
        static GetTable read(WireInput input) {
            return new GetTable(MetadataCodec.readTablePath(input));
        }

        @Override
        public void write(WireOutput output) {
            MetadataCodec.writeTablePath(output, path);
        }

        @Override
        public AnswerCodec<TableInfo> answer() {
            return TABLE;
        }

        @Override
        public TableInfo run(TableAdmin admin) {
            return admin.table(path);
        }
    }

    /** {@code fluss.create-table} */
    record CreateTable(TablePath path, TableDescriptor descriptor) implements Change<TableInfo> {
        static CreateTable read(WireInput input) {
            return new CreateTable(
                    MetadataCodec.readTablePath(input), MetadataCodec.readTableDescriptor(input));
        }

        @Override
        public void write(WireOutput output) {
            MetadataCodec.writeTablePath(output, path);
            MetadataCodec.writeTableDescriptor(output, descriptor);
        }

        @Override
        public AnswerCodec<TableInfo> answer() {
            return TABLE;
        }

        @Override
        public TableInfo run(TableAdmin admin) {
            return admin.createTable(path, descriptor);
        }
    }

    /** {@code fluss.drop-table} */
    record DropTable(TablePath path) implements Change<Void> {
        static DropTable read(WireInput input) {
            return new DropTable(MetadataCodec.readTablePath(input));
        }

        @Override
        public void write(WireOutput output) {
            MetadataCodec.writeTablePath(output, path);
        }

        @Override
        public AnswerCodec<Void> answer() {
            return AnswerCodec.NOTHING;
        }

        @Override
        public Void run(TableAdmin admin) {
            admin.dropTable(path);
            return null;
        }
    }

    /** {@code fluss.lake-settings} */
    record LakeSettings() implements Query<Map<String, String>> {
        @Override
        public void write(WireOutput output) {}

        @Override
        public AnswerCodec<Map<String, String>> answer() {
            return AnswerCodec.STRING_MAP;
        }

        @Override
        public Map<String, String> run(TableAdmin admin) {
            return admin.lakeSettings();
        }
    }
}
