package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.format.Format;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Which action type is which operation. */
final class AdminOperations {
    static final Format REQUEST = Format.first("action request", "wire.md");
    static final Format ANSWER = Format.first("action answer", "wire.md");

    private static final Map<String, Function<WireInput, AdminOperation<?>>> READERS =
            new TreeMap<>();
    private static final Map<Class<?>, String> ACTIONS = new HashMap<>();

    static {
        addCatalogOperations();
        addClusterOperations();
        addNodeOperations();
    }

    private AdminOperations() {}

    static String actionOf(Class<?> operation) {
        return ACTIONS.get(operation);
    }

    static AdminOperation<?> decode(Action action) {
        Function<WireInput, AdminOperation<?>> reader = READERS.get(action.type());
        if (reader == null) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    "action "
                            + action.type()
                            + " is unknown; this server knows "
                            + READERS.keySet()
                            + ". Use a client and a server of the same release.");
        }
        WireInput input = new WireInput(action.body());
        input.readVersion(REQUEST);
        return reader.apply(input);
    }

    private static void addCatalogOperations() {
        add(
                "list-databases",
                CatalogOperation.ListDatabases.class,
                input -> new CatalogOperation.ListDatabases());
        add("get-database", CatalogOperation.GetDatabase.class, CatalogOperation.GetDatabase::read);
        add(
                "create-database",
                CatalogOperation.CreateDatabase.class,
                CatalogOperation.CreateDatabase::read);
        add(
                "drop-database",
                CatalogOperation.DropDatabase.class,
                CatalogOperation.DropDatabase::read);
        add("list-tables", CatalogOperation.ListTables.class, CatalogOperation.ListTables::read);
        add("get-table", CatalogOperation.GetTable.class, CatalogOperation.GetTable::read);
        add("create-table", CatalogOperation.CreateTable.class, CatalogOperation.CreateTable::read);
        add("drop-table", CatalogOperation.DropTable.class, CatalogOperation.DropTable::read);
        add(
                "lake-settings",
                CatalogOperation.LakeSettings.class,
                input -> new CatalogOperation.LakeSettings());
    }

    private static void addClusterOperations() {
        add(
                "describe-cluster",
                ClusterOperation.DescribeCluster.class,
                ClusterOperation.DescribeCluster::read);
        add(
                "new-writer-id",
                ClusterOperation.NewWriterId.class,
                input -> new ClusterOperation.NewWriterId());
        add(
                "largest-batch",
                ClusterOperation.LargestBatch.class,
                input -> new ClusterOperation.LargestBatch());
        add("offsets", ClusterOperation.GetOffsets.class, ClusterOperation.GetOffsets::read);
        add(
                "create-snapshot",
                ClusterOperation.CreateSnapshot.class,
                ClusterOperation.CreateSnapshot::read);
        add(
                "release-snapshot",
                ClusterOperation.ReleaseSnapshot.class,
                ClusterOperation.ReleaseSnapshot::read);
        add(
                "latest-tiering",
                ClusterOperation.LatestTiering.class,
                ClusterOperation.LatestTiering::read);
        add(
                "register-tiering",
                ClusterOperation.RegisterTiering.class,
                ClusterOperation.RegisterTiering::read);
    }

    private static void addNodeOperations() {
        add("list-nodes", NodeOperation.ListNodes.class, input -> new NodeOperation.ListNodes());
        add("add-node", NodeOperation.AddNode.class, NodeOperation.AddNode::read);
        add(
                "remove-node",
                NodeOperation.RemoveNode.class,
                input -> new NodeOperation.RemoveNode(input.readString()));
        add(
                "drain-node",
                NodeOperation.DrainNode.class,
                input -> new NodeOperation.DrainNode(input.readString()));
        add(
                "end-drain",
                NodeOperation.EndDrain.class,
                input -> new NodeOperation.EndDrain(input.readString()));
        add("rebalance", NodeOperation.Rebalance.class, input -> new NodeOperation.Rebalance());
    }

    private static void add(
            String name,
            Class<? extends AdminOperation<?>> type,
            Function<WireInput, AdminOperation<?>> reader) {
        READERS.put("fluss." + name, reader);
        ACTIONS.put(type, "fluss." + name);
    }
}
