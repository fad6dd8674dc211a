package io.flinkfluss.flink.catalog.procedure;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.cluster.ClusterNode;
import java.util.function.Supplier;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;
import org.apache.flink.types.Row;

/** {@code CALL sys.list_nodes()}: the nodes of the cluster. */
public final class ListNodesProcedure implements Procedure {
    private final Supplier<ClusterAdmin> admin;

    ListNodesProcedure(Supplier<ClusterAdmin> admin) {
        this.admin = admin;
    }

    @ProcedureHint(
            output =
                    @DataTypeHint(
                            "ROW<node STRING, address STRING, replicas INT, leads INT,"
                                    + " written_bytes_per_second BIGINT, draining BOOLEAN>"))
    public Row[] call(ProcedureContext context) {
        return admin.get().nodes().stream().map(ListNodesProcedure::row).toArray(Row[]::new);
    }

    private static Row row(ClusterNode node) {
        return Row.of(
                node.address().id(),
                node.address().endpoint(),
                node.replicas(),
                node.leads(),
                node.writtenBytesPerSecond(),
                node.isDraining());
    }
}
