package io.flinkfluss.storage.client.read;

import static io.flinkfluss.storage.client.TestNode.batch;
import static io.flinkfluss.storage.client.TestNode.failure;
import static io.flinkfluss.storage.client.TestNode.get;
import static io.flinkfluss.storage.client.TestNode.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.BatchHeader;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.ScanTicket;
import io.flinkfluss.storage.client.TestNode;
import io.flinkfluss.storage.client.transport.Fault;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that leave out what cannot match: a range that is not declared as left out is a gap. */
final class FilteredReadTest {
    private static final int BATCHES = 100;
    private static final BucketId BUCKET = BucketId.of(new TableId(1), 0);
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final LogFilter ANY_FILTER =
            new LogFilter(
                    1,
                    List.of(new ColumnPredicate(0, ColumnPredicate.Operator.IS_NULL, List.of())));

    private static ScanRequest scan(TableInfo table, Object... ids) {
        ColumnPredicate predicate =
                ColumnPredicate.of(
                        table.schema().columns().get(0), ColumnPredicate.Operator.IN, ids);
        return new ScanRequest(table.buckets().get(0), 0, BATCHES, null)
                .matching(new LogFilter(table.schema().id(), List.of(predicate)));
    }

    private static void fill(TestNode node, TableInfo table) throws InterruptedException {
        for (int id = 0; id < BATCHES; id++) {
            get(node.service.append(table.buckets().get(0), WriterStamp.NONE, batch(table, id)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33})
    void aReadThatBreaksGoesOnAfterWhatWasLeftOut(long seed) throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            fill(node, table);
            Random random = new Random(seed);
            node.node.onBatch(
                    sent -> {
                        synchronized (random) {
                            return switch (random.nextInt(4)) {
                                case 0 -> new Fault.BreakBefore();
                                case 1 -> new Fault.BreakAfter();
                                default -> Fault.NONE;
                            };
                        }
                    });
            assertThat(
                            TestNode.ids(
                                    table,
                                    node.client.logReader().scan(scan(table, 3, 4, 50, 77, 90))))
                    .as("seed %d", seed)
                    .containsExactly(3, 4, 50, 77, 90);
        }
    }

    @Test
    void aNodeThatKnowsNoFiltersIsAskedWithoutAndGivesEverything() throws Exception {
        try (TestNode node = TestNode.start()) {
            TableInfo table = node.table();
            fill(node, table);
            node.node.onBatch(
                    sent ->
                            sent == 0
                                    ? new Fault.Refuse(refusal(ErrorCode.INCOMPATIBLE_VERSION))
                                    : Fault.NONE);
            assertThat(TestNode.ids(table, node.client.logReader().scan(scan(table, 7))))
                    .isEqualTo(IntStream.range(0, BATCHES).boxed().toList());

            node.node.onBatch(sent -> new Fault.Refuse(refusal(ErrorCode.INCOMPATIBLE_VERSION)));
            ScanRequest plain = scan(table, 7).matching(LogFilter.NONE);
            try (Batches<LogBatch> batches = node.client.logReader().scan(plain)) {
                assertThat(failure(() -> batches.poll(TestNode.PATIENCE)).code())
                        .isEqualTo(ErrorCode.INCOMPATIBLE_VERSION);
            }
        }
    }

    private static FlightFrame frame(long offset, int rows, long leftOut) {
        return FlightFrame.ofMetadata(new BatchHeader(offset, rows, 1, 1, NONE, leftOut).encode());
    }

    private static LogSource source(long end) {
        return new LogSource(new ScanRequest(BUCKET, 5, end, null).matching(ANY_FILTER));
    }

    private static void assertGap(LogSource source, FlightFrame frame) {
        assertThat(failure(() -> source.accept(frame)).code()).isEqualTo(ErrorCode.CORRUPT_DATA);
    }

    @Test
    void whatIsDeclaredIsNoGapAndMovesThePosition() {
        LogSource source = source(100);
        assertThat(source.accept(frame(10, 2, 7))).isPresent();
        assertThat(source.accept(frame(20, 0, 8))).isPresent();
        assertThat(((ScanTicket) source.ticket()).request().startOffset()).isEqualTo(20);
        assertThat(source.accept(frame(20, 0, 3))).as("nothing new").isEmpty();
        assertThat(source.isComplete()).isFalse();
        assertThat(source.accept(frame(130, 0, 110))).isPresent();
        assertThat(source.isComplete()).isTrue();
    }

    @Test
    void whatIsNotDeclaredIsAGap() {
        LogSource source = source(100);
        assertGap(source, frame(6, 2, 0));
        assertGap(source, frame(10, 2, 4));
        assertGap(source, frame(10, 0, 4));
        assertThat(source.accept(frame(5, 3, 0))).isPresent();
        assertGap(source, frame(9, 1, 0));

        LogSource everything = new LogSource(new ScanRequest(BUCKET, 5, 100, null));
        assertGap(everything, frame(10, 2, 5));
        assertGap(everything, frame(10, 0, 5));
    }
}
