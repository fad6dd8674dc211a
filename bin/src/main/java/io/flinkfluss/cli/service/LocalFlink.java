package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.Deadline;
import io.flinkfluss.cli.runtime.Distribution;
import io.flinkfluss.cli.runtime.Ports;
import io.flinkfluss.cli.runtime.StateDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Flink cluster of a JobManager and a TaskManager process. */
public final class LocalFlink {
    public static final int DEFAULT_WEB_PORT = 8081;
    public static final int DEFAULT_SLOTS = 16;

    private static final String JOB_MANAGER = "jobmanager";
    private static final String TASK_MANAGER = "taskmanager";
    private static final String JOB_MANAGER_MAIN =
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint";
    private static final String TASK_MANAGER_MAIN =
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner";
    private static final Duration START_PATIENCE = Duration.ofSeconds(120);

    private final StateDirectory state;

    public LocalFlink(StateDirectory state) {
        this.state = state;
    }

    public Optional<BackgroundProcess> jobManager() {
        return BackgroundProcess.find(state, JOB_MANAGER);
    }

    public Optional<BackgroundProcess> taskManager() {
        return BackgroundProcess.find(state, TASK_MANAGER);
    }

    public List<Path> logs() {
        return List.of(state.log(JOB_MANAGER), state.log(TASK_MANAGER));
    }

    /** The folder with the config.yaml of programs that submit jobs to the running cluster. */
    Path clientConf() {
        return FlinkConfiguration.writeClient(state, requireWebPort());
    }

    /** The settings of programs that submit jobs to the running cluster. */
    public Map<String, String> clientSettings() {
        return FlinkConfiguration.clientSettings(state, requireWebPort());
    }

    /**
     * The web port of the running cluster.
     *
     * @throws CliException when none runs
     */
    public int requireWebPort() {
        return jobManager()
                .map(process -> Integer.parseInt(process.fact("web-port")))
                .orElseThrow(
                        () ->
                                new CliException(
                                        "no Flink cluster runs with state directory "
                                                + state.root()
                                                + "; start one with: bin/fluss flink start"));
    }

    /**
     * Starts both processes and waits until the cluster has slots.
     *
     * @throws CliException when it runs already, the port is in use, or it does not get ready; then
     *     nothing is left running
     */
    public void start(int webPort, int slots) {
        if (jobManager().isPresent() || taskManager().isPresent()) {
            throw new CliException(
                    "a Flink cluster already runs with this state directory; stop it with: bin/fluss"
                            + " flink stop");
        }
        Ports.requireFree(webPort, "Flink's web interface", "--web-port");
        Path conf = FlinkConfiguration.writeCluster(state, webPort, Ports.anyFree(), slots);
        FlinkRest rest = new FlinkRest(webPort);
        Deadline deadline = Deadline.in(START_PATIENCE);
        try {
            BackgroundProcess jobManager =
                    launch(JOB_MANAGER, JOB_MANAGER_MAIN, conf, webPort, List.of("-Xmx768m"));
            BackgroundProcess taskManager =
                    launch(
                            TASK_MANAGER,
                            TASK_MANAGER_MAIN,
                            conf,
                            webPort,
                            List.of(
                                    "-Xmx" + FlinkConfiguration.taskManagerHeap(),
                                    "-XX:MaxDirectMemorySize="
                                            + FlinkConfiguration.taskManagerDirect(),
                                    "-XX:MaxMetaspaceSize="
                                            + FlinkConfiguration.taskManagerMetaspace()));
            jobManager.awaitReady(deadline, () -> rest.overview().isPresent());
            taskManager.awaitReady(deadline, rest::hasSlots);
        } catch (CliException e) {
            stop();
            throw e;
        }
    }

    /** Stops what runs; nothing to do is fine. */
    public void stop() {
        taskManager().ifPresent(BackgroundProcess::stop);
        jobManager().ifPresent(BackgroundProcess::stop);
    }

    private BackgroundProcess launch(
            String name, String main, Path conf, int webPort, List<String> memory) {
        List<String> command = new ArrayList<>();
        command.add(Distribution.java());
        command.addAll(memory);
        command.addAll(Distribution.jvmOpens());
        command.addAll(
                List.of(
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Dlog4j2.configurationFile=" + Logging.write(state, name),
                        "-Dlog.file=" + state.log(name),
                        "-cp",
                        Distribution.current().flinkClassPath(),
                        main,
                        "--configDir",
                        conf.toString()));
        return BackgroundProcess.start(
                state,
                name,
                command,
                Map.of("FLINK_CONF_DIR", conf.toString()),
                Map.of(
                        "web-port",
                        Integer.toString(webPort),
                        "web",
                        "http://localhost:" + webPort,
                        "log",
                        state.log(name).toString()));
    }
}
