package io.flinkfluss.storage.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.TableAdmin.DropMode;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class AdminOperationTest {
    private static final TablePath PATH = new TablePath("db", "tische-äöü");
    private static final BucketId BUCKET = BucketId.of(new TableId(8), 1);

    private static TableDescriptor descriptor() {
        List<Column> columns = new ArrayList<>();
        for (TypeRoot root : TypeRoot.values()) {
            DataType type =
                    switch (root) {
                        case CHAR, BINARY, TIME, TIMESTAMP, TIMESTAMP_LTZ -> DataType.of(root, 3);
                        case DECIMAL -> DataType.decimal(38, 12);
                        default -> DataType.of(root);
                    };
            columns.add(new Column(root.number() * 10, "c" + root, type, "about " + root));
        }
        columns.add(Column.of(999, "key", DataType.of(TypeRoot.INT).notNull()));
        return new TableDescriptor(
                new Schema(4, columns, List.of("key")),
                List.of("cSTRING"),
                List.of("key"),
                16,
                Map.of("table.log.ttl", "1 d"),
                Map.of("a", "b", "c", ""),
                "a comment");
    }

    static Stream<AdminOperation<?>> operations() {
        LakeTiering tiering = new LakeTiering(new TableId(8), 3, -77, Map.of(BUCKET, 5L), -1, -2);
        KvSnapshot snapshot =
                new KvSnapshot(new TableId(8), 1L << 60, Map.of(BUCKET, 9L), Map.of(BUCKET, -1L));
        return Stream.of(
                new CatalogOperation.ListDatabases(),
                new CatalogOperation.GetDatabase("db"),
                new CatalogOperation.CreateDatabase("db", "comment", Map.of("k", "v")),
                new CatalogOperation.DropDatabase("db", DropMode.CASCADE),
                new CatalogOperation.DropDatabase("db", DropMode.RESTRICT),
                new CatalogOperation.ListTables("db"),
                new CatalogOperation.GetTable(PATH),
                new CatalogOperation.CreateTable(PATH, descriptor()),
                new CatalogOperation.DropTable(PATH),
                new CatalogOperation.LakeSettings(),
                new ClusterOperation.DescribeCluster(),
                new ClusterOperation.NewWriterId(),
                new ClusterOperation.GetOffsets(List.of(BUCKET), new OffsetSpec.Earliest()),
                new ClusterOperation.GetOffsets(List.of(), new OffsetSpec.Latest()),
                new ClusterOperation.GetOffsets(List.of(BUCKET), new OffsetSpec.AtTime(-5)),
                new ClusterOperation.CreateSnapshot(new TableId(8)),
                new ClusterOperation.ReleaseSnapshot(snapshot),
                new ClusterOperation.LatestTiering(new TableId(8)),
                new ClusterOperation.RegisterTiering(tiering));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationComesBack(AdminOperation<?> operation) {
        Action sent = Action.parse(ByteBuffer.wrap(operation.toAction().serialize()));
        assertThat(sent.type()).startsWith("fluss.");
        assertThat((Object) AdminOperation.of(sent)).isEqualTo(operation);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void aNewerVersionIsRefused(AdminOperation<?> operation) {
        byte[] body = new byte[operation.toAction().body().remaining()];
        operation.toAction().body().get(body);
        body[0] = 2;
        assertThatThrownBy(
                        () ->
                                AdminOperation.of(
                                        new Action(operation.action(), ByteBuffer.wrap(body))))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE_VERSION))
                .hasMessageContaining("version 2 of the action request");
    }

    private static <A> void assertAnswer(AdminOperation<A> operation, A answer) {
        assertThat(operation.decodeAnswer(ByteBuffer.wrap(operation.encodeAnswer(answer))))
                .isEqualTo(answer);
    }

    @Test
    void everyKindOfAnswerComesBack() {
        TableInfo table = new TableInfo(new TableId(8), PATH, descriptor(), 1000, 2000);
        assertAnswer(new CatalogOperation.GetTable(PATH), table);
        assertAnswer(new CatalogOperation.CreateTable(PATH, descriptor()), table);
        assertAnswer(
                new CatalogOperation.GetDatabase("db"),
                new DatabaseInfo("db", "c", Map.of("k", "v"), 77));
        assertAnswer(new CatalogOperation.ListDatabases(), List.of("a", "b"));
        assertAnswer(new CatalogOperation.LakeSettings(), Map.of("format", "iceberg"));
        assertAnswer(new CatalogOperation.DropTable(PATH), null);
        assertAnswer(new ClusterOperation.NewWriterId(), 1L << 55);
        assertAnswer(
                new ClusterOperation.GetOffsets(List.of(BUCKET), new OffsetSpec.Latest()),
                Map.of(BUCKET, 1L << 44));
        assertAnswer(new ClusterOperation.LatestTiering(new TableId(8)), Optional.empty());
        assertAnswer(
                new ClusterOperation.LatestTiering(new TableId(8)),
                Optional.of(new LakeTiering(new TableId(8), 3, -7, Map.of(BUCKET, 5L), 1, 2)));
        assertAnswer(
                new ClusterOperation.CreateSnapshot(new TableId(8)),
                new KvSnapshot(new TableId(8), -3, Map.of(BUCKET, 9L), Map.of(BUCKET, -1L)));
        ClusterView view =
                new ClusterView(
                        List.of(
                                new ClusterView.Node("n1", "host", 1),
                                new ClusterView.Node("n2", "other", 65535)),
                        1L << 40,
                        new ClusterView.Leadership("n1", 9),
                        List.of(
                                new ClusterView.Leadership("n2", 1L << 33),
                                ClusterView.Leadership.UNKNOWN));
        assertAnswer(new ClusterOperation.DescribeCluster(), view);
        assertThat(view.shardCount()).isEqualTo(2);
    }

    @Test
    void aBucketIsServedByTheLeaderOfItsShard() {
        ClusterView view =
                new ClusterView(
                        List.of(new ClusterView.Node("n1", "host", 1)),
                        0,
                        ClusterView.Leadership.UNKNOWN,
                        List.of(
                                new ClusterView.Leadership("n1", 1),
                                ClusterView.Leadership.UNKNOWN,
                                new ClusterView.Leadership("gone", 1)));
        for (int bucket = 0; bucket < 6; bucket++) {
            BucketId id = BucketId.of(new TableId(1), bucket);
            assertThat(view.leader(id).isPresent()).isEqualTo(id.shard(3) == 0);
        }
    }

    @Test
    void anUnknownActionIsNamedWithTheKnownOnes() {
        assertThatThrownBy(
                        () ->
                                AdminOperation.of(
                                        new Action("fluss.fly", ByteBuffer.wrap(new byte[] {1}))))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
                .hasMessageContaining("fluss.fly")
                .hasMessageContaining("fluss.create-table");
    }

    @Test
    void numbersOfEverySizeComeBack() {
        WireOutput output = new WireOutput();
        long[] values = {0, 1, 127, 128, 16383, 16384, Long.MAX_VALUE, -1, Long.MIN_VALUE};
        for (long value : values) {
            output.writeVarint(value).writeZigzag(value).writeLong(value);
        }
        output.writeInt(-5).writeNullableBytes(null).writeNullableBytes(new byte[0]);
        WireInput input = new WireInput(output.toByteBuffer());
        for (long value : values) {
            assertThat(input.readVarint()).isEqualTo(value);
            assertThat(input.readZigzag()).isEqualTo(value);
            assertThat(input.readLong()).isEqualTo(value);
        }
        assertThat(input.readInt()).isEqualTo(-5);
        assertThat(input.readNullableBytes()).isNull();
        assertThat(input.readNullableBytes()).isEmpty();
        assertThat(input.hasRemaining()).isFalse();
    }

    @Test
    void aLengthThatCannotBeIsRefusedBeforeMemoryIsTaken() {
        byte[] huge = new WireOutput().writeVarint(1L << 40).toByteArray();
        assertThatThrownBy(() -> new WireInput(huge).readBytes())
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA));
        assertThatThrownBy(() -> new WireInput(huge).readStrings())
                .isInstanceOf(StorageException.class);
    }
}
