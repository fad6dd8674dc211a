package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.Deadline;
import io.flinkfluss.cli.runtime.Distribution;
import io.flinkfluss.cli.runtime.Ports;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.write.TableWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Writes the storage server's class archive into the distribution, when the build ends: a JVM that
 * starts with it maps the classes as they were loaded and verified here (JEP 310, JEP 350), which
 * is about half of a server's start. Two servers do a little of everything, so that the classes for
 * clients and for other nodes are in it.
 *
 * <p>A JVM ignores an archive that does not fit its own version or the jars, and a build without
 * one only starts servers more slowly; so a failure here is told and does not fail the build.
 */
public final class ClassArchive {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);
    private static final int ROWS = 100;

    private final Distribution distribution;
    private final Path folder;
    private final List<Process> servers = new ArrayList<>();

    private ClassArchive(Distribution distribution, Path folder) {
        this.distribution = distribution;
        this.folder = folder;
    }

    /** For the build; takes what {@link Distribution} takes and no arguments. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("fluss-class-archive-");
        Distribution distribution = Distribution.current();
        Files.deleteIfExists(distribution.classArchive());
        try {
            new ClassArchive(distribution, folder).write();
        } catch (CliException | IOException failure) {
            System.err.println(
                    "WARNING: no class archive, so storage servers of this build start more slowly: "
                            + failure.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            delete(folder);
        }
    }

    private void write() throws IOException, InterruptedException {
        // Beside its place: half an archive must never stand there, a JVM would die of it.
        Path archive = distribution.classArchive().resolveSibling("server.jsa.new");
        try {
            String client = startServers(archive);
            try (FlussClient service = FlussClient.connect(ClientConfig.of(client))) {
                use(service);
            }
            stop(servers.get(0));
            stop(servers.get(1));
        } finally {
            servers.forEach(Process::destroyForcibly);
        }
        if (!Files.exists(archive)) {
            throw new CliException("the JVM wrote none;\n" + output(1));
        }
        Files.move(archive, distribution.classArchive(), StandardCopyOption.ATOMIC_MOVE);
    }

    private String startServers(Path archive) throws IOException {
        int[] ports = {Ports.anyFree(), Ports.anyFree(), Ports.anyFree(), Ports.anyFree()};
        String peers =
                "n1@127.0.0.1:%d:%d,n2@127.0.0.1:%d:%d"
                        .formatted(ports[0], ports[1], ports[2], ports[3]);
        for (int node = 1; node <= 2; node++) {
            List<String> command = new ArrayList<>();
            command.add(Distribution.java());
            command.addAll(Distribution.jvmOpens());
            if (node == 1) {
                command.add("-XX:ArchiveClassesAtExit=" + archive);
            }
            command.addAll(
                    List.of(
                            "-XX:TieredStopAtLevel=1",
                            "-Xmx256m",
                            "-cp",
                            distribution.serverClassPath(),
                            LocalStorage.MAIN,
                            "--data-dir",
                            folder.resolve("n" + node).toString(),
                            "--port",
                            Integer.toString(ports[2 * (node - 1)]),
                            "--node-id",
                            "n" + node,
                            "--peers",
                            peers));
            servers.add(
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(outputFile(node).toFile())
                            .start());
        }
        Deadline deadline = Deadline.in(PATIENCE);
        for (int node = 1; node <= 2; node++) {
            int number = node;
            deadline.await(
                    "server n" + node + " of the build",
                    () -> {
                        if (!servers.get(number - 1).isAlive()) {
                            throw new CliException("a server ended:\n" + output(number));
                        }
                        return output(number).contains("ready on ");
                    });
        }
        return "127.0.0.1:" + ports[0];
    }

    private static void use(FlussClient service) throws InterruptedException {
        Column number = Column.of(1, "n", DataType.of(TypeRoot.BIGINT).notNull());
        Column text = Column.of(2, "t", DataType.of(TypeRoot.STRING));
        TableInfo log = table(service, "log", new Schema(1, List.of(number, text), List.of()));
        TableInfo keyed =
                table(service, "keyed", new Schema(1, List.of(number, text), List.of("n")));
        try (TableWriter rows = service.writer(log);
                TableWriter keys = service.writer(keyed)) {
            for (long i = 0; i < ROWS; i++) {
                rows.append(GenericRow.of(i, "text " + i));
                keys.upsert(GenericRow.of(i, "text " + i));
            }
            rows.flush();
            keys.flush();
        }
        for (TableInfo table : List.of(log, keyed)) {
            BucketId bucket = table.buckets().get(0);
            ScanRequest all = new ScanRequest(bucket, 0, ROWS, null);
            try (Batches<LogBatch> batches = service.logReader().scan(all)) {
                if (batches.poll(PATIENCE).isEmpty()) {
                    throw new CliException("no rows of " + bucket + " within " + PATIENCE);
                }
            }
        }
        KeyCodec codec = new KeyCodec(keyed.schema(), new int[] {0});
        service.kvReader()
                .lookup(keyed.buckets().get(0), List.of(codec.encode(GenericRow.of(7L, null))))
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private static TableInfo table(FlussClient service, String name, Schema schema) {
        return service.admin()
                .createTable(
                        new TablePath("fluss", name),
                        new TableDescriptor(
                                schema, List.of(), List.of(), 1, Map.of(), Map.of(), ""));
    }

    private void stop(Process server) throws InterruptedException {
        server.destroy();
        if (!server.waitFor(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new CliException("a server did not stop within " + STOP_PATIENCE);
        }
    }

    private Path outputFile(int node) {
        return folder.resolve("n" + node + ".out");
    }

    private String output(int node) {
        try {
            return Files.readString(outputFile(node));
        } catch (IOException e) {
            return "(no output: " + e.getMessage() + ")";
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
