package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.TableAdmin.DropMode;
import io.flinkfluss.storage.api.cluster.ClusterNode;
import io.flinkfluss.storage.api.cluster.NodeAddress;
import io.flinkfluss.storage.api.cluster.NodeChange;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.testkit.FormatSample;
import io.flinkfluss.storage.api.testkit.FormatSamples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Bodies of actions and of their results. */
final class ActionSamplesTest extends FormatSamples {
    private static final TableId TABLE = new TableId(8);
    private static final BucketId BUCKET = BucketId.of(TABLE, 1);
    private static final TablePath PATH = new TablePath("db", "orders");
    private static final TableInfo INFO =
            new TableInfo(TABLE, PATH, WireSamplesTest.DESCRIPTOR, 1000, 2000);

    @Override
    protected Stream<FormatSample> samples() {
        return Stream.of(catalog(), cluster(), nodes()).flatMap(samples -> samples);
    }

    private static Stream<FormatSample> catalog() {
        DatabaseInfo database = new DatabaseInfo("db", "comment", Map.of("k", "v"), 77);
        return Stream.of(
                request(new CatalogOperation.ListDatabases()),
                answer(new CatalogOperation.ListDatabases(), List.of("db", "fluss")),
                request(new CatalogOperation.GetDatabase("db")),
                answer(new CatalogOperation.GetDatabase("db"), database),
                request(
                        new CatalogOperation.CreateDatabase(
                                "db", "comment", Map.of("k", "v", "l", ""))),
                request(new CatalogOperation.DropDatabase("db", DropMode.CASCADE)),
                request(new CatalogOperation.ListTables("db")),
                answer(new CatalogOperation.ListTables("db"), List.of()),
                request(new CatalogOperation.GetTable(PATH)),
                answer(new CatalogOperation.GetTable(PATH), INFO),
                request(new CatalogOperation.CreateTable(PATH, WireSamplesTest.DESCRIPTOR)),
                answer(new CatalogOperation.CreateTable(PATH, WireSamplesTest.DESCRIPTOR), INFO),
                request(new CatalogOperation.DropTable(PATH)),
                request(new CatalogOperation.LakeSettings()),
                answer(new CatalogOperation.LakeSettings(), Map.of("format", "iceberg")));
    }

    private static Stream<FormatSample> cluster() {
        ClusterOperation.GetOffsets offsets =
                new ClusterOperation.GetOffsets(List.of(BUCKET), new OffsetSpec.Earliest());
        return Stream.of(
                // The first release asked without a word; it read views of version 1.
                request(new ClusterOperation.DescribeCluster(1))
                        .onlyRead(1)
                        .variant("describe-cluster.first-release"),
                request(new ClusterOperation.DescribeCluster(2)).variant("describe-cluster"),
                request(new ClusterOperation.NewWriterId()),
                answer(new ClusterOperation.NewWriterId(), 1L << 55),
                request(new ClusterOperation.LargestBatch()),
                answer(new ClusterOperation.LargestBatch(), 8L << 20),
                request(offsets).variant("offsets.earliest"),
                request(new ClusterOperation.GetOffsets(List.of(), new OffsetSpec.Latest()))
                        .variant("offsets.latest"),
                request(new ClusterOperation.GetOffsets(List.of(BUCKET), new OffsetSpec.AtTime(-5)))
                        .variant("offsets.time"),
                answer(offsets, Map.of(BUCKET, 1L << 44)),
                request(new ClusterOperation.CreateSnapshot(TABLE)),
                answer(new ClusterOperation.CreateSnapshot(TABLE), WireSamplesTest.SNAPSHOT),
                request(new ClusterOperation.ReleaseSnapshot(WireSamplesTest.SNAPSHOT)),
                request(new ClusterOperation.LatestTiering(TABLE)),
                answer(
                        new ClusterOperation.LatestTiering(TABLE),
                        Optional.of(WireSamplesTest.TIERING)),
                answer(new ClusterOperation.LatestTiering(TABLE), Optional.empty())
                        .variant("latest-tiering.none"),
                request(new ClusterOperation.RegisterTiering(WireSamplesTest.TIERING)));
    }

    private static Stream<FormatSample> nodes() {
        NodeAddress node = new NodeAddress("n4", "10.0.0.4", 9123, 9124);
        return Stream.of(
                request(new NodeOperation.ListNodes()),
                answer(
                        new NodeOperation.ListNodes(),
                        List.of(new ClusterNode(node, true, 5, 2, 1L << 33))),
                request(new NodeOperation.AddNode(node)),
                answer(
                        new NodeOperation.AddNode(node),
                        NodeChange.running(1, 5, "node n4 catches up with group shard-1")),
                request(new NodeOperation.RemoveNode("n4")),
                answer(new NodeOperation.RemoveNode("n4"), NodeChange.done(5, "removed")),
                request(new NodeOperation.DrainNode("n4")),
                request(new NodeOperation.EndDrain("n4")),
                request(new NodeOperation.Rebalance()));
    }

    private static FormatSample request(AdminOperation<?> operation) {
        return FormatSample.of(
                        AdminOperations.REQUEST,
                        (Object) operation,
                        each -> WireSamplesTest.array(operation.toAction().body()),
                        bytes -> AdminOperation.of(new Action(operation.action(), bytes)))
                .variant(name(operation));
    }

    private static <A> FormatSample answer(AdminOperation<A> operation, A value) {
        return FormatSample.of(
                        AdminOperations.ANSWER,
                        value,
                        operation::encodeAnswer,
                        operation::decodeAnswer)
                .variant(name(operation));
    }

    private static String name(AdminOperation<?> operation) {
        return operation.action().substring("fluss.".length());
    }
}
