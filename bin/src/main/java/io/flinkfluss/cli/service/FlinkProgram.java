package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.Distribution;
import io.flinkfluss.cli.runtime.StateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One of Flink's own client programs, run in the foreground against the local cluster. */
final class FlinkProgram {
    private FlinkProgram() {}

    static ProcessBuilder of(
            StateDirectory state, String logName, String main, List<String> arguments) {
        Path conf = new LocalFlink(state).clientConf();
        List<String> command = new ArrayList<>();
        command.add(Distribution.java());
        command.addAll(Distribution.jvmOpens());
        command.addAll(
                List.of(
                        "-Xmx768m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlog4j2.configurationFile=" + Logging.write(state, logName),
                        "-Dlog.file=" + state.log(logName),
                        "-cp",
                        Distribution.current().flinkClassPath(),
                        main));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("FLINK_CONF_DIR", conf.toString());
        return builder;
    }

    static int runInForeground(ProcessBuilder builder) {
        try {
            Process process = builder.inheritIO().start();
            return process.waitFor();
        } catch (IOException e) {
            throw new CliException("cannot start " + builder.command().get(0) + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException("interrupted", e);
        }
    }
}
