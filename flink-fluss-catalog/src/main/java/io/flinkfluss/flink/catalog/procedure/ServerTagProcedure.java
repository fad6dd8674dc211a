package io.flinkfluss.flink.catalog.procedure;

import io.flinkfluss.storage.api.ClusterAdmin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;

/** {@code CALL sys.add_server_tag('n1,n2', 'TEMPORARY_OFFLINE')}: drains nodes, or ends it. */
public final class ServerTagProcedure implements Procedure {
    private static final String TEMPORARY = "TEMPORARY_OFFLINE";

    private final Supplier<ClusterAdmin> admin;
    private final NodeProcedure.Kind kind;

    ServerTagProcedure(Supplier<ClusterAdmin> admin, NodeProcedure.Kind kind) {
        this.admin = admin;
        this.kind = kind;
    }

    @ProcedureHint(
            arguments = {
                @ArgumentHint(name = "tabletServers", type = @DataTypeHint("STRING")),
                @ArgumentHint(name = "serverTag", type = @DataTypeHint("STRING"))
            },
            output = @DataTypeHint("STRING"))
    public String[] call(ProcedureContext context, String nodes, String tag) {
        if (!tag.equals(TEMPORARY)) {
            throw new ValidationException(
                    "the tag "
                            + tag
                            + " is unknown; allowed is "
                            + TEMPORARY
                            + ". A node that is offline for ever is removed: CALL"
                            + " sys.remove_node('n1')");
        }
        List<String> rows = new ArrayList<>();
        for (String node : nodes.split(",")) {
            rows.addAll(List.of(kind.run(admin.get(), node.trim())));
        }
        return rows.toArray(String[]::new);
    }
}
