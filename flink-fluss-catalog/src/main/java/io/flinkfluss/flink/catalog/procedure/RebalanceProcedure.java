package io.flinkfluss.flink.catalog.procedure;

import io.flinkfluss.storage.api.ClusterAdmin;
import java.util.List;
import java.util.function.Supplier;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;

/**
 * {@code CALL sys.rebalance()}: moves leaders by load. Every node has all replicas, so the goal
 * {@code REPLICA_DISTRIBUTION} of other systems always holds.
 */
public final class RebalanceProcedure implements Procedure {
    private static final List<String> GOALS =
            List.of("LEADER_DISTRIBUTION", "REPLICA_DISTRIBUTION");

    private final Supplier<ClusterAdmin> admin;

    RebalanceProcedure(Supplier<ClusterAdmin> admin) {
        this.admin = admin;
    }

    @ProcedureHint(output = @DataTypeHint("STRING"))
    public String[] call(ProcedureContext context) {
        ClusterAdmin nodes = admin.get();
        return ChangeCall.run("rebalancing leaders", nodes::rebalance);
    }

    @ProcedureHint(output = @DataTypeHint("STRING"))
    public String[] call(ProcedureContext context, String goals) {
        for (String goal : goals.split(",")) {
            if (!GOALS.contains(goal.trim())) {
                throw new ValidationException(
                        "the goal " + goal.trim() + " is unknown; allowed are " + GOALS);
            }
        }
        return call(context);
    }
}
