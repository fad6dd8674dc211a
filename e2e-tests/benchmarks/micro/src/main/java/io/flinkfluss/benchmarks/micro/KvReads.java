package io.flinkfluss.benchmarks.micro;

import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.kv.KvChanges;
import io.flinkfluss.storage.server.kv.KvConfig;
import io.flinkfluss.storage.server.kv.KvMemory;
import io.flinkfluss.storage.server.kv.KvStore;
import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reads of the key-value state by a hundred keys at once: of rows that are there, as lookups do,
 * and of rows that are not, as each insert does before it writes. The cost per key should not grow
 * with the number of rows.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class KvReads {
    private static final int KEYS = 100;
    private static final int BUCKETS = 32;
    private static final int ROWS_PER_WRITE = 1_000;
    private static final int RANDOM_BYTES = 60;
    private static final int EQUAL_BYTES = 70;
    private static final byte[] MARK = new byte[16];

    @Param({"1000000", "10000000"})
    private int rows;

    private final SplittableRandom random = new SplittableRandom(1);
    private Path folder;
    private KvMemory memory;
    private KvStore store;

    /** Ids go round the buckets; only even ones are there. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
        folder = Files.createTempDirectory("fluss-kv-reads-");
        memory = new KvMemory(KvConfig.DEFAULT.forStores(2));
        store = memory.open(folder.resolve("kv"));
        for (int first = 0; first < rows; first += ROWS_PER_WRITE) {
            try (KvChanges changes = store.changes()) {
                for (int id = first; id < first + ROWS_PER_WRITE; id++) {
                    changes.put(bucket(id), key(2L * (id / BUCKETS)), row(id));
                }
                store.apply(changes, MARK);
            }
        }
        store.flush();
    }

    @TearDown(Level.Trial)
    public void delete() throws IOException {
        store.close();
        memory.close();
        Folders.deleteTree(folder);
    }

    @Benchmark
    @OperationsPerInvocation(KEYS)
    public List<EncodedRow> present() {
        return get(0);
    }

    @Benchmark
    @OperationsPerInvocation(KEYS)
    public List<EncodedRow> absent() {
        return get(1);
    }

    private List<EncodedRow> get(int odd) {
        List<byte[]> keys = new ArrayList<>(KEYS);
        for (int i = 0; i < KEYS; i++) {
            keys.add(key(2L * random.nextInt(rows / BUCKETS) + odd));
        }
        return store.get(bucket(random.nextInt(BUCKETS)), keys);
    }

    private static BucketId bucket(int id) {
        return BucketId.of(new TableId(1), id % BUCKETS);
    }

    /** Half of it compresses. */
    private static EncodedRow row(int id) {
        byte[] row = new byte[RANDOM_BYTES + EQUAL_BYTES];
        byte[] different = new byte[RANDOM_BYTES];
        new Random(id).nextBytes(different);
        System.arraycopy(different, 0, row, 0, RANDOM_BYTES);
        return new EncodedRow(1, row);
    }

    private static byte[] key(long id) {
        return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    }
}
