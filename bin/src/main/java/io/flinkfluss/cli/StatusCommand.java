package io.flinkfluss.cli;

import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.runtime.StateDirectory;
import io.flinkfluss.cli.service.LocalFlink;
import io.flinkfluss.cli.service.LocalStorage;
import io.flinkfluss.cli.service.TieringService;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what runs with this state directory: storage service, Flink, tiering job.",
            "Exit status 0 when the storage service runs, 3 when it does not."
        })
final class StatusCommand implements Callable<Integer> {
    private static final int NOT_RUNNING = 3;

    @Spec private CommandSpec spec;
    @Mixin private StateOption state;

    @Option(names = "--json", description = "One JSON object instead of text.")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        StateDirectory directory = state.named();
        Optional<BackgroundProcess> storage = new LocalStorage(directory).running();
        LocalFlink flink = new LocalFlink(directory);
        List<Map<String, String>> rows = new ArrayList<>();
        rows.add(row("storage", storage, "address"));
        rows.add(row("flink-jobmanager", flink.jobManager(), "web"));
        rows.add(row("flink-taskmanager", flink.taskManager(), "web"));
        rows.add(tieringRow(directory));
        out.print(json ? toJson(directory, rows) : toText(directory, rows));
        out.flush();
        return storage.isPresent() ? 0 : NOT_RUNNING;
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

    private static String toJson(StateDirectory directory, List<Map<String, String>> rows) {
        return rows.stream()
                        .map(StatusCommand::toJson)
                        .collect(
                                Collectors.joining(
                                        ",",
                                        "{\"stateDirectory\":"
                                                + quoted(directory.root().toString())
                                                + ",\"services\":[",
                                        "]}"))
                + "\n";
    }

    private static String toJson(Map<String, String> row) {
        return row.entrySet().stream()
                .map(entry -> quoted(entry.getKey()) + ":" + quoted(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
