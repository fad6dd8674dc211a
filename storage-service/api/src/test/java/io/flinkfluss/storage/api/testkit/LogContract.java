package io.flinkfluss.storage.api.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What {@link io.flinkfluss.storage.api.LogAppender} and {@link
 * io.flinkfluss.storage.api.LogReader} promise.
 */
abstract class LogContract extends AdminContract {
    @Test
    public void offsetsAreDenseFromZeroAndPerBucket() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        assertThat(append(bucket(table, 0), row(1, "a", 1.0), row(2, null, null)))
                .isEqualTo(new AppendResult(0, false));
        assertThat(append(bucket(table, 0), row(3, "c", 3.0)))
                .isEqualTo(new AppendResult(2, false));
        assertThat(append(bucket(table, 1), row(4, "d", 4.0)))
                .isEqualTo(new AppendResult(0, false));
        assertThat(service().logReader().offsets(table.buckets(), new OffsetSpec.Latest()))
                .isEqualTo(Map.of(bucket(table, 0), 3L, bucket(table, 1), 1L));
        assertThat(service().logReader().offsets(table.buckets(), new OffsetSpec.Earliest()))
                .isEqualTo(Map.of(bucket(table, 0), 0L, bucket(table, 1), 0L));

        assertThat(changes(table, 0, 0, 3, null))
                .containsExactly(
                        new Change(0, ChangeKind.INSERT, row(1, "a", 1.0)),
                        new Change(1, ChangeKind.INSERT, row(2, null, null)),
                        new Change(2, ChangeKind.INSERT, row(3, "c", 3.0)));
        assertThat(logRows(table, 1, 0, 1, null)).containsExactly(row(4, "d", 4.0));
    }

    @Test
    public void aBoundedScanReadsItsRangeAndEnds() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        for (int batch = 0; batch < 4; batch++) {
            append(
                    bucket(table, 0),
                    row(3 * batch, "x", 0.0),
                    row(3 * batch + 1, "y", null),
                    row(3 * batch + 2, null, 1.0));
        }
        assertThat(logRows(table, 0, 4, 8, null))
                .containsExactly(
                        row(4, "y", null), row(5, null, 1.0), row(6, "x", 0.0), row(7, "y", null));
        assertThat(logRows(table, 0, 5, 5, null)).isEmpty();
        assertThat(logRows(table, 0, 12, 12, null)).isEmpty();
    }

    @Test
    public void projectionGivesColumnsInTheAskedOrder() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        append(bucket(table, 0), row(1, "a", 1.5), row(2, null, null), row(3, "c", 3.5));
        assertThat(logRows(table, 0, 0, 3, new int[] {2, 0}))
                .containsExactly(
                        GenericRow.of(1.5, 1), GenericRow.of(null, 2), GenericRow.of(3.5, 3));
        assertThat(logRows(table, 0, 0, 3, new int[] {1}))
                .containsExactly(
                        GenericRow.of("a"), GenericRow.of((Object) null), GenericRow.of("c"));
    }

    @Test
    public void aFollowingScanGetsRowsAsTheyCome() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        append(bucket(table, 0), row(1, "a", 1.0));
        ScanRequest request =
                new ScanRequest(bucket(table, 0), 0, ScanRequest.UNBOUNDED, new int[] {0});
        try (Batches<LogBatch> batches = service().logReader().scan(request)) {
            assertThat(TestBatches.rows(LOG_SCHEMA, new int[] {0}, next(batches)))
                    .containsExactly(GenericRow.of(1));
            assertThat(batches.poll()).isEmpty();
            assertThat(batches.isFinished()).isFalse();
            append(bucket(table, 0), row(2, "b", 2.0));
            LogBatch second = next(batches);
            assertThat(second.baseOffset()).isEqualTo(1);
            assertThat(TestBatches.rows(LOG_SCHEMA, new int[] {0}, second))
                    .containsExactly(GenericRow.of(2));
        }
    }

    @Test
    public void aScanFromPastTheEndWaitsForItsOffset() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        ScanRequest request = new ScanRequest(bucket(table, 0), 2, ScanRequest.UNBOUNDED, null);
        try (Batches<LogBatch> batches = service().logReader().scan(request)) {
            assertThat(batches.poll()).isEmpty();
            append(bucket(table, 0), row(1, "a", 1.0), row(2, "b", 2.0));
            append(bucket(table, 0), row(3, "c", 3.0));
            LogBatch batch = next(batches);
            List<GenericRow> rows = TestBatches.rows(LOG_SCHEMA, null, batch);
            assertThat(rows.subList(batch.firstRow(2), rows.size()))
                    .containsExactly(row(3, "c", 3.0));
        }
    }

    @Test
    public void theListenerIsCalledWhenSomethingCame() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        Semaphore calls = new Semaphore(0);
        ScanRequest request = new ScanRequest(bucket(table, 0), 0, ScanRequest.UNBOUNDED, null);
        try (Batches<LogBatch> batches = service().logReader().scan(request)) {
            batches.onAvailable(calls::release);
            assertThat(batches.poll()).isEmpty();
            append(bucket(table, 0), row(1, "a", 1.0));
            boolean found = false;
            while (!found) {
                assertThat(calls.tryAcquire(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
                found = batches.poll().isPresent();
            }
        }
    }

    @Test
    public void aBatchSentAgainIsStoredOnce() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        long writer = service().logAppender().newWriterId();
        assertThat(service().logAppender().newWriterId()).isNotEqualTo(writer);
        BucketId bucket = bucket(table, 0);
        assertThat(append(bucket, new WriterStamp(writer, 0), row(1, "a", 1.0)))
                .isEqualTo(new AppendResult(0, false));
        assertThat(append(bucket, new WriterStamp(writer, 1), row(2, "b", 2.0)))
                .isEqualTo(new AppendResult(1, false));
        AppendResult again = append(bucket, new WriterStamp(writer, 1), row(2, "b", 2.0));
        assertThat(again).isEqualTo(new AppendResult(1, true));
        AppendResult first = append(bucket, new WriterStamp(writer, 0), row(1, "a", 1.0));
        assertThat(first.duplicate()).isTrue();
        assertThat(first.baseOffset()).isIn(0L, -1L);
        // Sequences count per bucket.
        assertThat(append(bucket(table, 1), new WriterStamp(writer, 0), row(3, "c", 3.0)))
                .isEqualTo(new AppendResult(0, false));
        assertThat(logRows(table, 0, 0, 2, new int[] {0}))
                .containsExactly(GenericRow.of(1), GenericRow.of(2));
        assertThat(service().logReader().offsets(table.buckets(), new OffsetSpec.Latest()))
                .containsEntry(bucket, 2L);
    }

    @Test
    public void aGapInAWritersSequenceIsRefused() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        BucketId bucket = bucket(table, 0);
        long writer = service().logAppender().newWriterId();
        assertCode(
                ErrorCode.UNKNOWN_WRITER,
                () -> append(bucket, new WriterStamp(writer, 4), row(1, "a", 1.0)));
        append(bucket, new WriterStamp(writer, 0), row(1, "a", 1.0));
        assertCode(
                ErrorCode.OUT_OF_ORDER_SEQUENCE,
                () -> append(bucket, new WriterStamp(writer, 2), row(3, "c", 1.0)));
        append(bucket, new WriterStamp(writer, 1), row(2, "b", 1.0));
        append(bucket, new WriterStamp(writer, 2), row(3, "c", 1.0));
        assertThat(logRows(table, 0, 0, 3, new int[] {0}))
                .containsExactly(GenericRow.of(1), GenericRow.of(2), GenericRow.of(3));
    }

    @Test
    public void batchesInFlightAreStoredInTheOrderOfTheCalls() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        long writer = service().logAppender().newWriterId();
        List<CompletableFuture<AppendResult>> answers = new ArrayList<>();
        int batches = 50;
        for (int i = 0; i < batches; i++) {
            answers.add(
                    service()
                            .logAppender()
                            .append(
                                    bucket(table, 0),
                                    new WriterStamp(writer, i),
                                    TestBatches.arrow(LOG_SCHEMA, row(i, "n" + i, 0.5 * i))));
        }
        for (int i = 0; i < batches; i++) {
            assertThat(get(answers.get(i))).isEqualTo(new AppendResult(i, false));
        }
        List<GenericRow> rows = logRows(table, 0, 0, batches, new int[] {0});
        for (int i = 0; i < batches; i++) {
            assertThat(rows.get(i)).isEqualTo(GenericRow.of(i));
        }
    }

    @Test
    public void aBatchThatDoesNotFitTheTableIsRefused() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        BucketId bucket = bucket(table, 0);
        assertCode(
                ErrorCode.SCHEMA_MISMATCH,
                () ->
                        get(
                                service()
                                        .logAppender()
                                        .append(
                                                bucket,
                                                WriterStamp.NONE,
                                                TestBatches.arrow(
                                                        KEYED_SCHEMA_AS_LOG,
                                                        GenericRow.of("a", "b")))));
        assertCode(ErrorCode.UNSUPPORTED, () -> put(bucket, upserts(keyed("a", 1, "x"))));
        assertCode(
                ErrorCode.UNSUPPORTED,
                () -> get(service().kvReader().lookup(bucket, List.of(new byte[] {1}))));
        TableInfo keyedTable = newTable(KEYED_SCHEMA);
        assertCode(
                ErrorCode.UNSUPPORTED,
                () ->
                        get(
                                service()
                                        .logAppender()
                                        .append(
                                                bucket(keyedTable, 0),
                                                WriterStamp.NONE,
                                                TestBatches.arrow(
                                                        KEYED_SCHEMA, keyed("a", 1, "x")))));
        assertThat(service().logReader().offsets(table.buckets(), new OffsetSpec.Latest()))
                .containsEntry(bucket, 0L);
    }

    private static final Schema KEYED_SCHEMA_AS_LOG =
            new Schema(1, KEYED_SCHEMA.columns().subList(0, 2), List.of());

    @Test
    public void aBucketThatIsNotThereIsRefused() {
        TableInfo table = newTable(LOG_SCHEMA);
        BucketId outside = BucketId.of(table.id(), 2);
        assertCode(ErrorCode.INVALID_REQUEST, () -> append(outside, row(1, "a", 1.0)));
    }

    @Test
    public void offsetsAreFoundByTime() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        BucketId bucket = bucket(table, 0);
        append(bucket, row(1, "a", 1.0), row(2, "b", 2.0));
        append(bucket, row(3, "c", 3.0));
        List<LogBatch> batches =
                all(service().logReader().scan(new ScanRequest(bucket, 0, 3, null)));
        long first = batches.get(0).commitMillis();
        long last = batches.get(batches.size() - 1).commitMillis();
        assertThat(last).isGreaterThanOrEqualTo(first);
        assertThat(offsetAt(bucket, 0)).isZero();
        assertThat(offsetAt(bucket, first)).isZero();
        assertThat(offsetAt(bucket, last + 1)).isEqualTo(3);
    }

    /** The ids of what a read with a filter gave, which must tell of every offset in order. */
    private List<Integer> idsOf(List<LogBatch> batches, long start) {
        List<Integer> ids = new ArrayList<>();
        long next = start;
        for (LogBatch batch : batches) {
            assertThat(batch.firstCovered()).isLessThanOrEqualTo(next);
            assertThat(batch.nextOffset()).isGreaterThan(next);
            if (batch.rowCount() > 0) {
                List<GenericRow> rows = TestBatches.rows(LOG_SCHEMA, new int[] {0}, batch);
                assertThat(rows).hasSize(batch.rowCount());
                for (int i = batch.firstRow(start); i < rows.size(); i++) {
                    ids.add((Integer) rows.get(i).valueAt(0));
                }
            }
            next = batch.nextOffset();
        }
        return ids;
    }

    private static LogFilter ids(ColumnPredicate.Operator operator, Object... ids) {
        return new LogFilter(
                LOG_SCHEMA.id(),
                List.of(ColumnPredicate.of(LOG_SCHEMA.columns().get(0), operator, ids)));
    }

    @Test
    public void aFilterHidesNoRowThatMatchesAndNoOffset() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        BucketId bucket = bucket(table, 0);
        for (int id = 0; id < 30; id += 3) {
            append(bucket, row(id, "a", 1.0), row(id + 1, null, null), row(id + 2, "c", 3.0));
        }
        for (long start = 0; start < 30; start++) {
            ScanRequest request = new ScanRequest(bucket, start, 30, new int[] {0});
            for (LogFilter filter :
                    List.of(
                            ids(ColumnPredicate.Operator.IN, 13, 22),
                            ids(ColumnPredicate.Operator.LESS, 5),
                            ids(ColumnPredicate.Operator.GREATER_OR_EQUAL, 28),
                            ids(ColumnPredicate.Operator.IS_NULL))) {
                List<LogBatch> read = all(service().logReader().scan(request.matching(filter)));
                assertThat(read.get(read.size() - 1).nextOffset()).isGreaterThanOrEqualTo(30);
                List<Integer> wanted = new ArrayList<>();
                for (int id = (int) start; id < 30; id++) {
                    byte[] form =
                            ids(ColumnPredicate.Operator.IN, id)
                                    .predicates()
                                    .get(0)
                                    .values()
                                    .get(0);
                    ColumnStatistics one = new ColumnStatistics(0, 0, form, form);
                    if (filter.mayMatch(LOG_SCHEMA.id(), 1, List.of(one))) {
                        wanted.add(id);
                    }
                }
                assertThat(idsOf(read, start)).containsAll(wanted).isSorted();
            }
        }
    }

    @Test
    public void aReaderAtTheTailGetsOnThoughNothingMatches() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        BucketId bucket = bucket(table, 0);
        ScanRequest request =
                new ScanRequest(bucket, 0, ScanRequest.UNBOUNDED, new int[] {0})
                        .matching(ids(ColumnPredicate.Operator.IN, 100));
        List<LogBatch> read = new ArrayList<>();
        try (Batches<LogBatch> batches = service().logReader().scan(request)) {
            for (int id = 0; id < 10; id++) {
                append(bucket, row(id, "a", 1.0));
                read.add(next(batches));
                assertThat(read.get(id).nextOffset()).isEqualTo(id + 1);
            }
            append(bucket, row(100, "z", 9.0));
            read.add(next(batches));
        }
        assertThat(idsOf(read, 0)).endsWith(100);
    }

    @Test
    public void changesOfAKeyAreNeverLeftOut() throws Exception {
        TableInfo table = newTable(KEYED_SCHEMA);
        BucketId bucket = bucket(table, 0);
        put(bucket, upserts(keyed("a", 1, "one")));
        put(bucket, upserts(keyed("a", 1, "two")));
        LogFilter filter =
                new LogFilter(
                        KEYED_SCHEMA.id(),
                        List.of(
                                ColumnPredicate.of(
                                        KEYED_SCHEMA.columns().get(0),
                                        ColumnPredicate.Operator.IN,
                                        "two")));
        ScanRequest request = new ScanRequest(bucket, 0, 3, null).matching(filter);
        assertThat(all(service().logReader().scan(request)))
                .extracting(LogBatch::rowCount)
                .containsExactly(1, 2);
    }

    private long offsetAt(BucketId bucket, long millis) {
        return service()
                .logReader()
                .offsets(List.of(bucket), new OffsetSpec.AtTime(millis))
                .get(bucket);
    }

    @Test
    public void aScanOfADroppedTableFails() throws Exception {
        TableInfo table = newTable(LOG_SCHEMA);
        append(bucket(table, 0), row(1, "a", 1.0));
        service().admin().dropTable(table.path());
        assertCode(ErrorCode.TABLE_NOT_FOUND, () -> logRows(table, 0, 0, 1, null));
    }
}
