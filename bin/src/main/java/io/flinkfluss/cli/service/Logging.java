package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Log4j settings of the processes: one rolling file each in {@code logs}, at most 100 MB. */
final class Logging {
    private Logging() {}

    /** Writes the settings file of a process and returns it. */
    static Path write(StateDirectory state, String process) {
        Path file = state.folder("conf").resolve("log4j-" + process + ".properties");
        String log = state.log(process).toString();
        try {
            return Files.writeString(
                    file,
                    """
                    rootLogger.level = INFO
                    rootLogger.appenderRef.file.ref = file
                    appender.file.type = RollingFile
                    appender.file.name = file
                    appender.file.fileName = %s
                    appender.file.filePattern = %s.%%i
                    appender.file.layout.type = PatternLayout
                    appender.file.layout.pattern = %%d{ISO8601} %%-5p %%c{1.} [%%t] %%m%%n
                    appender.file.policies.type = Policies
                    appender.file.policies.size.type = SizeBasedTriggeringPolicy
                    appender.file.policies.size.size = 50MB
                    appender.file.strategy.type = DefaultRolloverStrategy
                    appender.file.strategy.max = 1
                    logger.ratis.name = org.apache.ratis
                    logger.ratis.level = WARN
                    logger.elections.name = org.apache.ratis.server.impl.LeaderElection
                    logger.elections.level = INFO
                    logger.appender.name = org.apache.ratis.grpc.server.GrpcLogAppender
                    logger.appender.level = ERROR
                    logger.pekko.name = org.apache.pekko
                    logger.pekko.level = WARN
                    """
                            .formatted(log, log));
        } catch (IOException e) {
            throw new CliException("cannot write " + file + ": " + e, e);
        }
    }
}
