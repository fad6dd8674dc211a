package io.flinkfluss.flink.catalog.procedure;

import io.flinkfluss.storage.api.ClusterAdmin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.flink.table.procedures.Procedure;

/**
 * The procedures of a catalog, all in the database {@code sys}, which has nothing else. Names of
 * other systems are kept where they mean the same.
 */
public final class Procedures {
    public static final String DATABASE = "sys";

    private final Map<String, Procedure> procedures = new TreeMap<>();

    public Procedures(Supplier<ClusterAdmin> admin) {
        procedures.put("list_nodes", new ListNodesProcedure(admin));
        procedures.put("add_node", new NodeProcedure(admin, NodeProcedure.ADD));
        procedures.put("remove_node", new NodeProcedure(admin, NodeProcedure.REMOVE));
        procedures.put("drain_node", new NodeProcedure(admin, NodeProcedure.DRAIN));
        procedures.put("end_drain", new NodeProcedure(admin, NodeProcedure.END_DRAIN));
        procedures.put("rebalance", new RebalanceProcedure(admin));
        procedures.put("add_server_tag", new ServerTagProcedure(admin, NodeProcedure.DRAIN));
        procedures.put("remove_server_tag", new ServerTagProcedure(admin, NodeProcedure.END_DRAIN));
    }

    /** Names, in order. */
    public List<String> names() {
        return List.copyOf(procedures.keySet());
    }

    public Optional<Procedure> find(String name) {
        return Optional.ofNullable(procedures.get(name));
    }
}
