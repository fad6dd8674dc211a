package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.StateDirectory;
import io.flinkfluss.cli.service.LocalStorage;
import io.flinkfluss.cli.text.Json;
import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.cluster.NodeChange;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.admin.NodeChangeLoop;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of verbs that change the nodes of a cluster, and how they wait for it. */
final class ClusterOptions {
    @Mixin private StateOption state;

    @Option(
            names = {"--bootstrap-servers", "--bootstrap-server"},
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Nodes of the cluster. Default: those that run with the state directory.")
    private List<String> bootstrap = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description =
                    "How long to wait until it is done. Default: ${DEFAULT-VALUE}. After that it may"
                            + " go on; run the same again to continue waiting.")
    private long timeoutSeconds;

    @Option(names = "--json", description = "One JSON object a line instead of text.")
    private boolean json;

    boolean isJson() {
        return json;
    }

    /** Connects for as long as the work takes. */
    void run(Consumer<ClusterAdmin> work) {
        try (FlussClient client = FlussClient.connect(ClientConfig.of(servers()))) {
            work.accept(client.clusterAdmin());
        }
    }

    /** Asks for a change until it is done, and shows how far it is. */
    void change(PrintWriter out, String what, Function<ClusterAdmin, NodeChange> call) {
        run(
                admin ->
                        new NodeChangeLoop(
                                        Duration.ofSeconds(timeoutSeconds),
                                        change -> show(out, what, change))
                                .run(what, () -> call.apply(admin)));
    }

    private void show(PrintWriter out, String what, NodeChange change) {
        if (json) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("change", what);
            values.put("state", change.state());
            values.put("done", change.done());
            values.put("total", change.total());
            values.put("detail", change.detail());
            out.println(Json.write(values));
        } else {
            out.println(
                    "  "
                            + (change.isDone() ? "done" : change.done() + " of " + change.total())
                            + ": "
                            + change.detail());
        }
        out.flush();
    }

    private String servers() {
        if (!bootstrap.isEmpty()) {
            return String.join(",", bootstrap);
        }
        StateDirectory directory = state.named();
        return new LocalStorage(directory)
                .address()
                .orElseThrow(
                        () ->
                                new CliException(
                                        "no storage service runs with state directory "
                                                + directory.root()
                                                + "; start one with: bin/fluss start, or name the"
                                                + " cluster's nodes with --bootstrap-servers"));
    }
}
