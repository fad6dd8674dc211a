package io.flinkfluss.storage.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.TestBatches;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageNodeRestartTest {
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "key", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(2, "value", DataType.of(TypeRoot.STRING))),
                    List.of("key"));

    @TempDir Path folder;

    @Test
    void stateNumbersAndDuplicatesSurviveRestartsWithAndWithoutCheckpoints() throws Exception {
        BucketId bucket;
        long writer;
        try (Running node = start()) {
            bucket = node.createTable().buckets().get(0);
            writer = node.service().logAppender().newWriterId();
            put(node, bucket, new WriterStamp(writer, 0), 1, "a");
            node.node.checkpoint();
            put(node, bucket, new WriterStamp(writer, 1), 2, "b");
        }
        try (Running node = start()) {
            assertThat(value(node, bucket, 1)).isEqualTo("a");
            assertThat(value(node, bucket, 2)).isEqualTo("b");
            assertThat(put(node, bucket, new WriterStamp(writer, 1), 2, "b").duplicate()).isTrue();
            put(node, bucket, new WriterStamp(writer, 2), 1, "c");
            node.node.checkpoint();
            node.node.checkpoint();
        }
        try (Running node = start()) {
            assertThat(value(node, bucket, 1)).isEqualTo("c");
            assertThat(node.service().logReader().offsets(List.of(bucket), new OffsetSpec.Latest()))
                    .containsEntry(bucket, 4L);
            assertThat(node.service().logAppender().newWriterId()).isGreaterThan(writer);
        }
    }

    @Test
    void aDroppedTableStaysDropped() throws Exception {
        BucketId bucket;
        try (Running node = start()) {
            TableInfo table = node.createTable();
            bucket = table.buckets().get(0);
            put(node, bucket, WriterStamp.NONE, 1, "a");
            node.service().admin().dropTable(table.path());
        }
        try (Running node = start()) {
            assertThatThrownBy(() -> value(node, bucket, 1)).hasMessageContaining("does not exist");
            node.createTable();
        }
    }

    @Test
    void aFullDiskRefusesWritesButNotReads() throws Exception {
        BucketId bucket;
        try (Running node = start()) {
            bucket = node.createTable().buckets().get(0);
            put(node, bucket, WriterStamp.NONE, 1, "a");
        }
        try (Running node = start("-Ddisk.least-free-bytes=" + Long.MAX_VALUE)) {
            assertThat(value(node, bucket, 1)).isEqualTo("a");
            assertThatThrownBy(() -> put(node, bucket, WriterStamp.NONE, 1, "b"))
                    .cause()
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("disk.least-free-bytes");
        }
    }

    private static AppendResult put(
            Running node, BucketId bucket, WriterStamp stamp, int key, String value)
            throws Exception {
        return node.service()
                .kvWriter()
                .put(bucket, stamp, TestBatches.upserts(SCHEMA, GenericRow.of(key, value)))
                .get(30, TimeUnit.SECONDS);
    }

    private static String value(Running node, BucketId bucket, int key) throws Exception {
        byte[] encoded = new KeyCodec(SCHEMA, SCHEMA.keyIndexes()).encode(GenericRow.of(key, null));
        var rows = node.service().kvReader().lookup(bucket, List.of(encoded));
        var row = rows.get(30, TimeUnit.SECONDS).get(0).orElseThrow();
        return new String(
                new io.flinkfluss.storage.api.record.RowCodec(SCHEMA)
                        .decode(row.bytes())
                        .bytesAt(1),
                java.nio.charset.StandardCharsets.UTF_8);
    }

    private Running start(String... settings) throws InterruptedException {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("--data-dir", folder.toString(), "--port", "0"));
        arguments.add("-Ddisk.write-limit-ratio=1.0");
        arguments.addAll(List.of(settings));
        ServerConfig config = ServerArguments.parse(arguments.toArray(String[]::new));
        DataDirectory directory = DataDirectory.open(folder, OptionalInt.of(1), 1);
        ServerThreads threads = new ServerThreads(2, StorageNodeRestartTest::fail);
        StorageNode node =
                StorageNode.open(
                        config,
                        directory,
                        threads,
                        ServerClock.system(),
                        StorageNodeRestartTest::fail);
        return new Running(directory, threads, node);
    }

    private record Running(DataDirectory directory, ServerThreads threads, StorageNode node)
            implements AutoCloseable {
        StorageService service() {
            return node.service();
        }

        TableInfo createTable() {
            return service()
                    .admin()
                    .createTable(
                            new TablePath("fluss", "t"),
                            new TableDescriptor(
                                    SCHEMA, List.of(), List.of(), 1, Map.of(), Map.of(), ""));
        }

        @Override
        public void close() {
            threads.close();
            node.close();
            directory.close();
        }
    }

    private static void fail(String what, Throwable cause) {
        throw new AssertionError(what, cause);
    }
}
