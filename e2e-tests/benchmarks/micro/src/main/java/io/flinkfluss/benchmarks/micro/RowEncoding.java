package io.flinkfluss.benchmarks.micro;

import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.RootAllocator;
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
 * A batch of rows made into Arrow, uncompressed, as a writer of a log table does with each row: an
 * id, and a text that is one of some. A column of few texts meets its own bounds with nearly every
 * row and should cost no more than one of many.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RowEncoding {
    private static final int ROWS = 8_000;
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "id", DataType.of(TypeRoot.BIGINT).notNull()),
                            Column.of(2, "text", DataType.of(TypeRoot.STRING).notNull())),
                    List.of());

    /** How many different texts there are. */
    @Param({"4", "1000000"})
    private int texts;

    /** They differ in their last letters only; of the short ones that is within the first eight. */
    @Param({"8", "60"})
    private int length;

    private final GenericRow[] rows = new GenericRow[ROWS];
    private RootAllocator allocator;
    private ArrowBatchWriter writer;

    @Setup(Level.Trial)
    public void make() {
        allocator = new RootAllocator();
        writer = new ArrowBatchWriter(SCHEMA, allocator, CompressionSettings.NONE);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < ROWS; i++) {
            String text = ("%0" + length + "d").formatted(random.nextInt(texts));
            rows[i] = GenericRow.of((long) i, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @TearDown(Level.Trial)
    public void close() {
        writer.close();
        allocator.close();
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public ArrowBatch encode() {
        for (GenericRow row : rows) {
            writer.write(row);
        }
        return writer.finish();
    }
}
