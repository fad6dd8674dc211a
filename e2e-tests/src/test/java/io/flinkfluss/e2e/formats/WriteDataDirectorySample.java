package io.flinkfluss.e2e.formats;

import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes the sample of a data directory: run once per format level, by the release that wrote it,
 * as docs/howto/add-a-format-version.md says. A real server process is written to by a real client,
 * stopped in good order twice (so there are two checkpoints), written to again, and killed.
 */
final class WriteDataDirectorySample {
    private WriteDataDirectorySample() {}

    /**
     * @param arguments an empty folder to work in, and the archive to write
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path work = Path.of(arguments[0]);
        Path data = work.resolve("data");
        List<String> acknowledged = new ArrayList<>();
        List<Long> snapshots = new ArrayList<>();
        long writer = -1;
        StorageProcess server =
                StorageProcess.of(
                        data,
                        StorageProcess.freePort(),
                        List.of(
                                "--shards",
                                "2",
                                "-D",
                                "checkpoint.age-seconds=86400",
                                "-D",
                                "log.segment.file-size=16384"));
        server.javaOptions("-Dfluss.test.clock-offset-file=" + System.getProperty("sample.clock"));
        server.start();
        for (int chapter = 0; chapter < SampleStory.CHAPTERS; chapter++) {
            try (FlussClient client = FlussClient.connect(ClientConfig.of(server.address()))) {
                writer = chapter == 0 ? client.logAppender().newWriterId() : writer;
                snapshots.add(
                        new SampleStory(client, writer, chapter, acknowledged)
                                .write()
                                .snapshotId());
            }
            if (chapter < SampleStory.CHAPTERS - 1) {
                server.close();
                server.start();
            }
        }
        server.kill();
        Files.write(work.resolve("acknowledged.txt"), acknowledged);
        Files.writeString(
                work.resolve("ids.properties"),
                "writer=" + writer + "\nsnapshots=" + join(snapshots) + "\n");
        // Packed before anybody opens it again; the server that answers below works on it later.
        Archive.pack(work, work.resolveSibling(work.getFileName() + ".part"));
        server.start();
        try (FlussClient client = FlussClient.connect(ClientConfig.of(server.address()))) {
            Files.write(work.resolve("expected.txt"), new ServiceText(client, snapshots).lines());
        }
        server.close();
        Path whole = work.resolve("whole");
        try (var part = Files.newInputStream(work.resolveSibling(work.getFileName() + ".part"))) {
            Archive.unpack(part, whole);
        }
        Files.deleteIfExists(whole.resolve("data.log"));
        deleteLocks(whole);
        Files.copy(work.resolve("expected.txt"), whole.resolve("expected.txt"));
        Archive.pack(whole, Path.of(arguments[1]));
    }

    /** They name the process and the machine, and a lock that nobody holds means nothing. */
    private static void deleteLocks(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.filter(file -> file.endsWith("in_use.lock")).toList()) {
                Files.delete(path);
            }
        }
    }

    private static String join(List<Long> numbers) {
        return String.join(",", numbers.stream().map(String::valueOf).toList());
    }
}
