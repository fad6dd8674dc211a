package io.flinkfluss.e2e.scale;

import io.flinkfluss.storage.api.record.ArrowBatch;
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
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.memory.RootAllocator;

/**
 * How one node carries many buckets: {@code FOLDER TABLES BUCKETS_PER_TABLE WRITTEN SECONDS}. Makes
 * the tables, writes one batch into every bucket, then writes into WRITTEN of the buckets as fast
 * as they are acknowledged, and restarts after kill -9, once at once and once when every bucket is
 * in a checkpoint. To see what many buckets cost, run it with few and compare.
 */
public final class ManyBuckets {
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "id", DataType.of(TypeRoot.BIGINT)),
                            Column.of(2, "name", DataType.of(TypeRoot.STRING))),
                    List.of());
    private static final int ROWS = 100;
    private static final int FILLING = 512;
    private static final int IN_FLIGHT_PER_BUCKET = 2;

    private final NodeUnderLoad node;
    private final List<BucketId> buckets = new ArrayList<>();

    private ManyBuckets(NodeUnderLoad node) {
        this.node = node;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int tables = Integer.parseInt(arguments[1]);
        int perTable = Integer.parseInt(arguments[2]);
        int written = Integer.parseInt(arguments[3]);
        int seconds = Integer.parseInt(arguments[4]);
        try (NodeUnderLoad node = new NodeUnderLoad(Path.of(arguments[0]))) {
            ManyBuckets run = new ManyBuckets(node);
            node.describe("empty");
            run.create(tables, perTable);
            run.fill();
            node.describe("every bucket has a batch");
            run.write(written, seconds);
            run.write(written, seconds);
            node.describe("after writing");
            node.killAndRestart();
            node.describe("restarted");
            run.write(written, seconds);
            node.awaitCheckpoints();
            node.killAndRestart();
            node.describe("restarted at checkpoints");
        }
        System.exit(0);
    }

    private void create(int tables, int perTable) {
        long begun = System.nanoTime();
        for (int i = 0; i < tables; i++) {
            TableInfo table =
                    node.client()
                            .admin()
                            .createTable(
                                    new TablePath("fluss", "t" + i),
                                    new TableDescriptor(
                                            SCHEMA, List.of(), List.of(), perTable, Map.of(),
                                            Map.of(), ""));
            buckets.addAll(table.buckets());
        }
        System.out.printf(
                Locale.ROOT,
                "%d tables with %d buckets made in %.1f s%n",
                tables,
                buckets.size(),
                NodeUnderLoad.seconds(begun));
    }

    private void fill() throws InterruptedException {
        ArrowBatch batch = batch();
        long begun = System.nanoTime();
        Semaphore room = new Semaphore(FILLING);
        AtomicReference<Throwable> failed = new AtomicReference<>();
        for (BucketId bucket : buckets) {
            room.acquire();
            append(bucket, batch, room, failed, new ArrayList<>());
        }
        room.acquire(FILLING);
        check(failed);
        System.out.printf(
                Locale.ROOT,
                "a batch of %d rows in each bucket after %.1f s%n",
                ROWS,
                NodeUnderLoad.seconds(begun));
    }

    private void write(int written, int seconds) throws InterruptedException {
        ArrowBatch batch = batch();
        List<BucketId> chosen = buckets.subList(0, Math.min(written, buckets.size()));
        Semaphore room = new Semaphore(IN_FLIGHT_PER_BUCKET * chosen.size());
        AtomicReference<Throwable> failed = new AtomicReference<>();
        List<Double> millis = Collections.synchronizedList(new ArrayList<>());
        long begun = System.nanoTime();
        long sent = 0;
        while (NodeUnderLoad.seconds(begun) < seconds && failed.get() == null) {
            room.acquire();
            append(chosen.get((int) (sent++ % chosen.size())), batch, room, failed, millis);
        }
        room.acquire(IN_FLIGHT_PER_BUCKET * chosen.size());
        double took = NodeUnderLoad.seconds(begun);
        check(failed);
        Collections.sort(millis);
        System.out.printf(
                Locale.ROOT,
                "writes to %d of %d buckets: %.0f batches/s, %.0f rows/s, acknowledged p50 %.1f ms,"
                        + " p99 %.1f ms, longest %.1f ms%n",
                chosen.size(),
                buckets.size(),
                sent / took,
                sent * ROWS / took,
                millis.get(millis.size() / 2),
                millis.get(millis.size() * 99 / 100),
                millis.get(millis.size() - 1));
    }

    private void append(
            BucketId bucket,
            ArrowBatch batch,
            Semaphore room,
            AtomicReference<Throwable> failed,
            List<Double> millis) {
        long begun = System.nanoTime();
        var unused =
                node.client()
                        .logAppender()
                        .append(bucket, WriterStamp.NONE, batch)
                        .whenComplete(
                                (result, failure) -> {
                                    if (failure != null) {
                                        failed.set(failure);
                                    } else {
                                        millis.add(NodeUnderLoad.seconds(begun) * 1000);
                                    }
                                    room.release();
                                });
    }

    private static void check(AtomicReference<Throwable> failed) {
        if (failed.get() != null) {
            throw new IllegalStateException("a write failed", failed.get());
        }
    }

    private static ArrowBatch batch() {
        try (RootAllocator allocator = new RootAllocator();
                ArrowBatchWriter writer =
                        new ArrowBatchWriter(SCHEMA, allocator, CompressionSettings.NONE)) {
            for (int i = 0; i < ROWS; i++) {
                writer.write(GenericRow.of((long) i, "row number " + i));
            }
            return writer.finish();
        }
    }
}
