package io.flinkfluss.storage.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.ErrorKind;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.FreePorts;
import io.flinkfluss.storage.api.testkit.TestBatches;
import io.flinkfluss.storage.server.kv.KvConfig;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.replication.LogStart;
import io.flinkfluss.storage.server.shard.ShardConfig;
import io.flinkfluss.storage.server.shard.ShardResources;
import io.flinkfluss.storage.server.shard.ShardState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node of three that was away for so long that the others deleted the entries it lacks. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class CatchUpTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "key", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(2, "value", DataType.of(TypeRoot.STRING))),
                    List.of("key"));

    @TempDir Path folder;
    private final List<String> peers = new ArrayList<>();
    private final Map<String, StorageServer> running = new TreeMap<>();
    private final Map<String, Integer> ports = new TreeMap<>();
    private final Random random = new Random(7);
    private TableInfo table;
    private int sequence;
    private long writer;

    @AfterEach
    void close() {
        running.values().forEach(StorageServer::close);
    }

    private void startCluster() throws Exception {
        for (String id : List.of("n1", "n2", "n3")) {
            ports.put(id, FreePorts.next());
            peers.add(id + "@127.0.0.1:" + ports.get(id) + ":" + FreePorts.next());
        }
        List<CompletableFuture<Void>> starts = new ArrayList<>();
        for (String id : ports.keySet()) {
            starts.add(CompletableFuture.runAsync(() -> start(id)));
        }
        for (CompletableFuture<Void> start : starts) {
            start.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        table = createTable("rows");
        writer = ask(service -> service.logAppender().newWriterId());
    }

    private void start(String id) {
        try {
            StorageServer server =
                    StorageServer.start(
                            "--data-dir",
                            folder.resolve(id).toString(),
                            "--port",
                            String.valueOf(ports.get(id)),
                            "--node-id",
                            id,
                            "--peers",
                            String.join(",", peers),
                            "--shards",
                            "1",
                            "-Dcheckpoint.bytes=2000000",
                            "-Dcheckpoint.age-seconds=1",
                            "-Dreplication.election-timeout-millis=5000",
                            "-Ddisk.write-limit-ratio=1.0");
            synchronized (running) {
                running.put(id, server);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private TableInfo createTable(String name) throws Exception {
        return ask(
                service ->
                        service.admin()
                                .createTable(
                                        new TablePath("fluss", name),
                                        new TableDescriptor(
                                                SCHEMA, List.of(), List.of(), 1, Map.of(), Map.of(),
                                                "")));
    }

    /** Asks one node after another until one does it. */
    private <T> T ask(Function<StorageService, T> request) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            for (StorageServer server : running.values()) {
                try {
                    return request.apply(server.node().service());
                } catch (StorageException refused) {
                    boolean hopeless =
                            refused.kind() == ErrorKind.USER
                                    || refused.kind() == ErrorKind.INTERNAL;
                    if (hopeless || System.nanoTime() > end) {
                        throw refused;
                    }
                }
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Upserts so many batches of half a megabyte that cannot be compressed. */
    private void write(BucketId bucket, int batches) throws InterruptedException {
        for (int i = 0; i < batches; i++) {
            List<GenericRow> rows = new ArrayList<>();
            for (int j = 0; j < 8; j++) {
                byte[] text = new byte[48 * 1024];
                random.nextBytes(text);
                rows.add(
                        GenericRow.of(
                                random.nextInt(40), Base64.getEncoder().encodeToString(text)));
            }
            WriterStamp stamp = new WriterStamp(writer, sequence++);
            AppendResult unused =
                    ask(
                            service ->
                                    await(
                                            service.kvWriter()
                                                    .put(
                                                            bucket,
                                                            stamp,
                                                            TestBatches.upserts(
                                                                    SCHEMA,
                                                                    rows.toArray(
                                                                            GenericRow[]::new)))));
        }
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof StorageException refused) {
                throw refused;
            }
            throw new AssertionError(failed);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void stop(String id) {
        running.remove(id).close();
    }

    private void waitUntil(String what, BooleanSupplier done) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting until " + what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Writes until these nodes have deleted this entry of the shard's log. */
    private void writeUntilPurged(BucketId bucket, long entry, String... ids)
            throws InterruptedException {
        for (int i = 0; i < 400 && !Stream.of(ids).allMatch(id -> lastMissing(id) >= entry); i++) {
            write(bucket, 1);
        }
        assertThat(ids).allMatch(id -> lastMissing(id) >= entry);
    }

    private long lastMissing(String id) {
        return LogStart.lastMissing(folder.resolve(id).resolve("raft"), "shard-0");
    }

    /** The newest entry that a stopped node has applied. */
    private long applied(String id) throws IOException {
        List<Path> checkpoints = Folders.list(folder.resolve(id).resolve("shards/0/checkpoints"));
        return Long.parseLong(checkpoints.get(checkpoints.size() - 1).getFileName().toString());
    }

    private long logEnd(String id) {
        var reads = running.get(id).node().shardReads(0);
        BucketId bucket = table.buckets().get(0);
        return reads.knows(bucket.table()) ? reads.logEnd(bucket) : -1;
    }

    @Test
    void catchesUpFromACheckpointAndBecomesEqual() throws Exception {
        startCluster();
        BucketId bucket = table.buckets().get(0);
        write(bucket, 3);
        stop("n3");
        writeUntilPurged(bucket, applied("n3") + 1, "n1", "n2");

        start("n3");
        waitUntil("n3 has everything", () -> logEnd("n3") == logEnd("n1"));
        write(bucket, 3);
        waitUntil("n3 has that, too", () -> logEnd("n3") == logEnd("n1"));
        waitUntil("and n2", () -> logEnd("n2") == logEnd("n1"));

        assertThat(lastMissing("n3")).isPositive();
        assertReplicasAreEqual(bucket);
    }

    @Test
    void aDamagedShardIsFetchedFromAnotherNodeAtTheStart() throws Exception {
        startCluster();
        BucketId bucket = table.buckets().get(0);
        writeUntilPurged(bucket, 2, "n1", "n2", "n3");
        stop("n2");
        write(bucket, 2);
        for (Path checkpoint : Folders.list(folder.resolve("n2/shards/0/checkpoints"))) {
            Path manifest = checkpoint.resolve("manifest");
            byte[] bytes = Files.readAllBytes(manifest);
            bytes[bytes.length / 2] ^= 1;
            Files.write(manifest, bytes);
        }

        start("n2");
        waitUntil("n2 has everything", () -> logEnd("n2") == logEnd("n1"));

        write(bucket, 1);
        waitUntil("n2 has that, too", () -> logEnd("n2") == logEnd("n1"));
        waitUntil("and n3", () -> logEnd("n3") == logEnd("n1"));
        assertReplicasAreEqual(bucket);
    }

    private void assertReplicasAreEqual(BucketId bucket) throws IOException {
        List.copyOf(running.keySet()).forEach(this::stop);
        List<Replica> replicas = new ArrayList<>();
        for (String id : ports.keySet()) {
            replicas.add(replica(folder.resolve(id).resolve("shards/0"), bucket));
        }
        assertThat(replicas.get(0).rows()).isNotEmpty();
        assertThat(replicas.get(0).segments()).isNotEmpty();
        assertThat(replicas.get(1)).isEqualTo(replicas.get(0));
        assertThat(replicas.get(2)).isEqualTo(replicas.get(0));
    }

    private record Replica(List<ByteBuffer> rows, Map<String, ByteBuffer> segments) {}

    private static Replica replica(Path shard, BucketId bucket) throws IOException {
        List<ByteBuffer> rows = new ArrayList<>();
        try (ShardResources resources =
                        new ShardResources(new KvConfig(8 << 20, 4 << 20), 64L << 20);
                ShardState state = ShardState.open(shard, config(), resources)) {
            for (EncodedRow row : state.reads().prefixLookup(bucket, new byte[0])) {
                rows.add(ByteBuffer.wrap(row.bytes()));
            }
        }
        Map<String, ByteBuffer> segments = new TreeMap<>();
        Files.walkFileTree(
                shard.resolve("log"),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        if (file.toString().endsWith(".log")) {
                            segments.put(
                                    shard.relativize(file).toString(),
                                    ByteBuffer.wrap(Files.readAllBytes(file)));
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return new Replica(rows, segments);
    }

    private static ShardConfig config() {
        return new ShardConfig(ShardConfig.DEFAULT.log(), 8 << 20, 64 << 20);
    }
}
