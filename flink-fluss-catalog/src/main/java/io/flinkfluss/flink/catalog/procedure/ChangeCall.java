package io.flinkfluss.flink.catalog.procedure;

import io.flinkfluss.storage.api.cluster.NodeChange;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.client.admin.NodeChangeLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.flink.table.api.ValidationException;

/** Waits for a change of the nodes; its progress becomes the rows of the result. */
final class ChangeCall {
    private static final Duration DEADLINE = Duration.ofMinutes(30);

    private ChangeCall() {}

    static String[] run(String what, Supplier<NodeChange> call) {
        List<String> rows = new ArrayList<>();
        try {
            new NodeChangeLoop(DEADLINE, change -> rows.add(row(change))).run(what, call);
        } catch (StorageException | IllegalArgumentException refused) {
            throw new ValidationException(what + ": " + refused.getMessage(), refused);
        }
        return rows.toArray(String[]::new);
    }

    private static String row(NodeChange change) {
        return (change.isDone() ? "done" : change.done() + " of " + change.total())
                + ": "
                + change.detail();
    }
}
