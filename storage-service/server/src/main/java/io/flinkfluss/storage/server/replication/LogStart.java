package io.flinkfluss.storage.server.replication;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Looks at a group's log that is not open. */
public final class LogStart {
    private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");

    private LogStart() {}

    /**
     * Index of the last entry that this log does not have any more; a state that contains it can go
     * on from here. -1 when nothing was deleted.
     *
     * @param logs folder of all groups' logs
     */
    public static long lastMissing(Path logs, String group) {
        byte[] name = ("flink-fluss " + group).getBytes(StandardCharsets.UTF_8);
        Path current = logs.resolve(UUID.nameUUIDFromBytes(name).toString()).resolve("current");
        try (Stream<Path> files = Files.list(current)) {
            return files.map(file -> SEGMENT.matcher(file.getFileName().toString()))
                            .filter(Matcher::matches)
                            .mapToLong(segment -> Long.parseLong(segment.group(1)))
                            .min()
                            .orElse(0)
                    - 1;
        } catch (NoSuchFileException never) {
            return -1;
        } catch (IOException e) {
            throw new UncheckedIOException("the log of " + group + " cannot be read", e);
        }
    }
}
