package io.flinkfluss.flink.catalog.procedure;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.cluster.NodeAddress;
import io.flinkfluss.storage.api.cluster.NodeChange;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;

/** {@code CALL sys.add_node('n4@host:port:raftport')} and the like: a change of one node. */
public final class NodeProcedure implements Procedure {
    static final Kind ADD =
            new Kind("adding node ", (admin, node) -> admin.add(NodeAddress.parse(node)));
    static final Kind REMOVE = new Kind("removing node ", ClusterAdmin::remove);
    static final Kind DRAIN = new Kind("draining node ", ClusterAdmin::drain);
    static final Kind END_DRAIN = new Kind("ending the drain of node ", ClusterAdmin::endDrain);

    private final Supplier<ClusterAdmin> admin;
    private final Kind kind;

    /** A change, and what it is called. */
    record Kind(String what, BiFunction<ClusterAdmin, String, NodeChange> change) {
        String[] run(ClusterAdmin admin, String node) {
            return ChangeCall.run(what + node, () -> change.apply(admin, node));
        }
    }

    NodeProcedure(Supplier<ClusterAdmin> admin, Kind kind) {
        this.admin = admin;
        this.kind = kind;
    }

    @ProcedureHint(
            arguments = @ArgumentHint(name = "node", type = @DataTypeHint("STRING")),
            output = @DataTypeHint("STRING"))
    public String[] call(ProcedureContext context, String node) {
        return kind.run(admin.get(), node);
    }
}
