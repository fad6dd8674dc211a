package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.runtime.StateDirectory;
import io.flinkfluss.cli.service.ClusterState;
import io.flinkfluss.cli.service.LocalFlink;
import io.flinkfluss.cli.service.LocalStorage;
import io.flinkfluss.cli.service.TieringService;
import io.flinkfluss.cli.text.Json;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what runs with this state directory (storage service, Flink, tiering job) and",
            "what every node of the storage service says: groups, leaders, lag, disk, memory.",
            "Exit status 0 when every node is ready, 4 when some are not, 3 when none answers."
        })
final class StatusCommand implements Callable<Integer> {
    private static final int NOT_RUNNING = 3;
    private static final int DEGRADED = 4;

    @Spec private CommandSpec spec;
    @Mixin private StateOption state;

    @Option(names = "--json", description = "One JSON object instead of text.")
    private boolean json;

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT",
            split = ",",
            description =
                    "Nodes of another cluster to ask. Default: those of this state directory.")
    private List<String> bootstrap = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "How long a node may take to answer. Default: ${DEFAULT-VALUE}.")
    private double timeoutSeconds;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        boolean isLocal = bootstrap.isEmpty();
        StateDirectory directory = state.named();
        List<Map<String, String>> services = isLocal ? services(directory) : List.of();
        List<String> addresses =
                isLocal
                        ? new LocalStorage(directory)
                                .running().stream().map(node -> node.fact("address")).toList()
                        : bootstrap;
        Optional<ClusterState> cluster = ask(addresses);
        if (json) {
            out.println(Json.write(toJson(directory, services, cluster)));
        } else {
            out.print(isLocal ? toText(directory, services) : "");
            cluster.ifPresent(asked -> out.print(new ClusterText(asked).render()));
        }
        out.flush();
        return cluster.filter(ClusterState::answers)
                .map(asked -> asked.isReady() ? 0 : DEGRADED)
                .orElse(NOT_RUNNING);
    }

    private Optional<ClusterState> ask(List<String> addresses) {
        Duration timeout = Duration.ofMillis(Math.max(1, Math.round(timeoutSeconds * 1000)));
        return addresses.isEmpty()
                ? Optional.empty()
                : Optional.of(ClusterState.ask(addresses, timeout));
    }

    private static List<Map<String, String>> services(StateDirectory directory) {
        List<Map<String, String>> rows = new ArrayList<>();
        List<BackgroundProcess> storage = new LocalStorage(directory).running();
        for (BackgroundProcess node : storage) {
            rows.add(row(node.name(), Optional.of(node), "address"));
        }
        if (storage.isEmpty()) {
            rows.add(row("storage", Optional.empty(), "address"));
        }
        LocalFlink flink = new LocalFlink(directory);
        rows.add(row("flink-jobmanager", flink.jobManager(), "web"));
        rows.add(row("flink-taskmanager", flink.taskManager(), "web"));
        rows.add(tieringRow(directory));
        return rows;
    }

    private static Map<String, String> row(
            String name, Optional<BackgroundProcess> process, String addressFact) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("name", name);
        row.put("state", process.isPresent() ? "running" : "stopped");
        process.ifPresent(
                running -> {
                    row.put("pid", Long.toString(running.pid()));
                    row.put("address", running.fact(addressFact));
                    row.put("since", running.startedAt().toString());
                    row.put("log", running.fact("log"));
                });
        return row;
    }

    private static Map<String, String> tieringRow(StateDirectory directory) {
        Optional<String> job = new TieringService(directory).runningJob();
        Map<String, String> row = new LinkedHashMap<>();
        row.put("name", "tiering");
        row.put("state", job.isPresent() ? "running" : "stopped");
        job.ifPresent(id -> row.put("job", id));
        return row;
    }

    private static String toText(StateDirectory directory, List<Map<String, String>> rows) {
        StringBuilder text = new StringBuilder("State directory " + directory.root() + "\n");
        for (Map<String, String> row : rows) {
            Map<String, String> rest = new LinkedHashMap<>(row);
            text.append(String.format("  %-18s %-8s", rest.remove("name"), rest.remove("state")));
            rest.forEach((key, value) -> text.append(' ').append(key).append(' ').append(value));
            text.append('\n');
        }
        return text.toString();
    }

    private static Map<String, Object> toJson(
            StateDirectory directory,
            List<Map<String, String>> services,
            Optional<ClusterState> cluster) {
        Map<String, Object> all = new LinkedHashMap<>();
        if (!services.isEmpty()) {
            all.put("stateDirectory", directory.root());
            all.put("services", services);
        }
        cluster.ifPresent(asked -> all.putAll(new ClusterJson(asked).values()));
        return all;
    }
}
