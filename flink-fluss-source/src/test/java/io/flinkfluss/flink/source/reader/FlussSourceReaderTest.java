package io.flinkfluss.flink.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.flink.source.TestTable;
import io.flinkfluss.flink.source.shape.RowShape;
import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.KvSplit;
import io.flinkfluss.flink.source.split.LogSplit;
import io.flinkfluss.flink.source.split.StateReadEvent;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FlussSourceReaderTest {
    private static final Column ID = Column.of(0, "id", DataType.of(TypeRoot.INT).notNull());
    private static final Column NAME = Column.of(1, "name", DataType.of(TypeRoot.STRING));

    private TestTable table;

    @AfterEach
    void closeTable() {
        table.close();
    }

    private void logTable(int buckets) {
        table = TestTable.log(buckets, ID, NAME);
    }

    private void keyedTable() {
        table = TestTable.keyed(1, ID, NAME);
    }

    private static GenericRow row(int id, String name) {
        return GenericRow.of(id, name);
    }

    private static GenericRow[] rows(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(id -> row(id, "n" + id))
                .toArray(GenericRow[]::new);
    }

    private static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(id -> "+I[" + id + ", n" + id + "]").toList();
    }

    private LogSplit log(int bucket, long start, long stop) {
        return new LogSplit(table.bucket(bucket), start, stop);
    }

    private KvSplit state(KvSnapshot snapshot, long stop) {
        long offset = snapshot.logOffsets().get(table.bucket(0));
        return new KvSplit(
                table.bucket(0),
                snapshot.snapshotId(),
                new byte[0],
                0,
                offset,
                stop == 0 ? offset : stop);
    }

    @Test
    void everyBucketIsReadInOrderUpToItsStopOffset() throws Exception {
        logTable(2);
        table.append(0, rows(0, 3));
        table.append(1, rows(10, 12));
        table.append(0, rows(3, 6));
        try (ReaderDriver driver =
                new ReaderDriver(table.source().build(), List.of(log(0, 1, 5), log(1, 0, 2)))) {
            List<String> all = driver.readAll();
            assertThat(all).containsAll(texts(1, 5)).containsAll(texts(10, 12)).hasSize(6);
            assertThat(all.stream().filter(texts(0, 10)::contains).toList()).isEqualTo(texts(1, 5));
        }
    }

    @Test
    void rowsThatComeLaterWakeTheReaderAndCarryTheirCommitTime() throws Exception {
        logTable(2);
        table.append(0, row(1, "n1"));
        try (ReaderDriver driver =
                new ReaderDriver(
                        table.source().build(),
                        List.of(
                                log(0, 0, ScanRequest.UNBOUNDED),
                                log(1, 0, ScanRequest.UNBOUNDED)))) {
            driver.awaitRows(1);
            table.pass(Duration.ofSeconds(3));
            table.append(1, row(2, "n2"));
            driver.awaitRows(2);
            assertThat(driver.rows()).containsExactly("+I[1, n1]", "+I[2, n2]");
            assertThat(driver.timestamps())
                    .containsExactly(TestTable.START_MILLIS, TestTable.START_MILLIS + 3_000);
        }
    }

    @Test
    void aCheckpointInTheMiddleOfABatchGoesOnBehindTheLastEmittedRow() throws Exception {
        logTable(1);
        table.append(0, rows(0, 1_000));
        List<FlussSplit> rest;
        List<String> seen;
        try (ReaderDriver driver =
                new ReaderDriver(table.source().build(), List.of(log(0, 0, 1_000)))) {
            driver.awaitRows(1);
            seen = new ArrayList<>(driver.rows());
            rest = driver.checkpoint();
        }
        assertThat(seen).hasSizeLessThan(1_000);
        assertThat(rest).containsExactly(log(0, seen.size(), 1_000));
        try (ReaderDriver driver = new ReaderDriver(table.source().build(), rest)) {
            seen.addAll(driver.readAll());
        }
        assertThat(seen).isEqualTo(texts(0, 1_000));
    }

    @Test
    void aProjectionReadsTheAskedColumnsInTheAskedOrder() throws Exception {
        logTable(1);
        table.append(0, rows(0, 2));
        try (ReaderDriver swapped =
                        new ReaderDriver(
                                table.source().projectedFields("name", "id").build(),
                                List.of(log(0, 0, 2)));
                ReaderDriver none =
                        new ReaderDriver(
                                table.source().projection().build(), List.of(log(0, 0, 2)))) {
            assertThat(swapped.readAll()).containsExactly("+I[n0, 0]", "+I[n1, 1]");
            assertThat(none.readAll()).containsExactly("+I[]", "+I[]");
        }
    }

    @Test
    void aLimitEndsABucketEarly() throws Exception {
        logTable(1);
        table.append(0, rows(0, 3));
        table.append(0, rows(3, 6));
        try (ReaderDriver driver =
                new ReaderDriver(
                        table.source().limit(4).build(),
                        List.of(log(0, 0, ScanRequest.UNBOUNDED)))) {
            assertThat(driver.readAll()).isEqualTo(texts(0, 4));
        }
    }

    @Test
    void theStateIsReadThenTheChangesAfterIt() throws Exception {
        keyedTable();
        table.upsert(0, row(1, "a"), row(2, "b"));
        table.upsert(0, row(1, "c"));
        KvSnapshot snapshot = table.service().snapshot(table.info().id());
        table.upsert(0, row(2, "d"));
        table.delete(0, row(1, ""));
        try (ReaderDriver driver =
                new ReaderDriver(
                        table.source().build(), List.of(state(snapshot, ScanRequest.UNBOUNDED)))) {
            driver.awaitRows(5);
            assertThat(driver.rows())
                    .containsExactly("+I[1, c]", "+I[2, b]", "-U[2, b]", "+U[2, d]", "-D[1, c]");
            assertThat(driver.timestamps()).startsWith(null, null);
            assertThat(driver.checkpoint()).containsExactly(log(0, 7, ScanRequest.UNBOUNDED));
            assertThat(driver.events())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            StateReadEvent.class,
                            event -> assertThat(event.bucket()).isEqualTo(table.bucket(0)));
        }
    }

    @Test
    void aSplitWithoutTrafficAfterTheStateStillCheckpointsThatTheStateIsDone() throws Exception {
        keyedTable();
        table.upsert(0, row(1, "a"));
        KvSnapshot snapshot = table.service().snapshot(table.info().id());
        List<FlussSplit> rest;
        try (ReaderDriver driver =
                new ReaderDriver(
                        table.source().build(), List.of(state(snapshot, ScanRequest.UNBOUNDED)))) {
            driver.awaitRows(1);
            while (driver.events().isEmpty()) {
                driver.awaitStep();
            }
            rest = driver.checkpoint();
        }
        table.service().release(snapshot);
        table.upsert(0, row(2, "b"));
        assertThat(rest).containsExactly(log(0, 1, ScanRequest.UNBOUNDED));
        try (ReaderDriver driver = new ReaderDriver(table.source().build(), rest)) {
            driver.awaitRows(1);
            assertThat(driver.rows()).containsExactly("+I[2, b]");
        }
    }

    @Test
    void aBoundedReadOfTheStateEndsWithIt() throws Exception {
        keyedTable();
        table.upsert(0, row(1, "a"));
        KvSnapshot snapshot = table.service().snapshot(table.info().id());
        table.upsert(0, row(2, "b"));
        try (ReaderDriver driver =
                new ReaderDriver(table.source().bounded().build(), List.of(state(snapshot, 0)))) {
            assertThat(driver.readAll()).containsExactly("+I[1, a]");
        }
    }

    @Test
    void aCheckpointInTheMiddleOfTheStateGoesOnBehindTheLastEmittedRow() throws Exception {
        keyedTable();
        table.upsert(0, rows(0, 1_000));
        KvSnapshot snapshot = table.service().snapshot(table.info().id());
        table.delete(0, row(0, ""));
        List<String> seen = new ArrayList<>();
        List<FlussSplit> rest = List.of(state(snapshot, 1_001));
        int restarts = 0;
        while (rest.get(0) instanceof KvSplit) {
            try (ReaderDriver driver = new ReaderDriver(table.source().build(), rest)) {
                driver.awaitStep();
                driver.awaitStep();
                rest = driver.checkpoint();
                seen.addAll(driver.rows());
                restarts++;
            }
        }
        assertThat(restarts).isGreaterThan(2);
        try (ReaderDriver driver = new ReaderDriver(table.source().build(), rest)) {
            seen.addAll(driver.readAll());
        }
        List<String> expected = new ArrayList<>(texts(0, 1_000));
        expected.add("-D[0, n0]");
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void theChangelogShowsEveryChangeAsAnInsertWithItsOffset() throws Exception {
        keyedTable();
        writeReferenceSequence();
        try (ReaderDriver driver =
                new ReaderDriver(
                        table.source().shape(new RowShape.Changelog()).build(),
                        List.of(log(0, 0, 4)))) {
            assertThat(driver.readAll())
                    .containsExactly(
                            "+I[insert, 0, 1970-01-01T00:16:40, 1, a]",
                            "+I[update_before, 1, 1970-01-01T00:16:41, 1, a]",
                            "+I[update_after, 2, 1970-01-01T00:16:41, 1, b]",
                            "+I[delete, 3, 1970-01-01T00:16:42, 1, b]");
        }
        try (ReaderDriver driver =
                new ReaderDriver(
                        table.source()
                                .shape(new RowShape.Changelog())
                                .projectedFields("name", "_log_offset")
                                .build(),
                        List.of(log(0, 1, 3)))) {
            assertThat(driver.readAll()).containsExactly("+I[a, 1]", "+I[b, 2]");
        }
    }

    @Test
    void theBinlogShowsAnUpdateAsOneRowAtTheOffsetOfItsOldRow() throws Exception {
        keyedTable();
        writeReferenceSequence();
        try (ReaderDriver driver =
                new ReaderDriver(
                        table.source().shape(new RowShape.Binlog()).build(),
                        List.of(log(0, 0, 4)))) {
            assertThat(driver.readAll())
                    .containsExactly(
                            "+I[insert, 0, 1970-01-01T00:16:40, null, [1, a]]",
                            "+I[update, 1, 1970-01-01T00:16:41, [1, a], [1, b]]",
                            "+I[delete, 3, 1970-01-01T00:16:42, [1, b], null]");
        }
        try (ReaderDriver driver =
                new ReaderDriver(
                        table.source()
                                .shape(new RowShape.Binlog())
                                .projectedFields("_log_offset", "_change_type")
                                .build(),
                        List.of(log(0, 0, 4)))) {
            assertThat(driver.readAll())
                    .containsExactly("+I[0, insert]", "+I[1, update]", "+I[3, delete]");
        }
    }

    @Test
    void aCheckpointBetweenOldAndNewRowReadsTheOldRowAgain() throws Exception {
        keyedTable();
        writeReferenceSequence();
        List<FlussSplit> rest;
        try (ReaderDriver driver =
                new ReaderDriver(
                        table.source().shape(new RowShape.Binlog()).build(),
                        // ends after the old row, as if the new one were in a batch to come
                        List.of(log(0, 0, 2)))) {
            driver.awaitRows(1);
            rest = driver.checkpoint();
            assertThat(driver.rows()).hasSize(1);
        }
        assertThat(rest).containsExactly(log(0, 1, 2));
    }

    private void writeReferenceSequence() {
        table.upsert(0, row(1, "a"));
        table.pass(Duration.ofSeconds(1));
        table.upsert(0, row(1, "b"));
        table.pass(Duration.ofSeconds(1));
        table.delete(0, row(1, ""));
    }

    @Test
    void aSnapshotThatWasFreedFailsWithItsReason() {
        keyedTable();
        table.upsert(0, row(1, "a"));
        KvSnapshot snapshot = table.service().snapshot(table.info().id());
        table.service().release(snapshot);
        assertThatThrownBy(
                        () -> {
                            try (ReaderDriver driver =
                                    new ReaderDriver(
                                            table.source().build(), List.of(state(snapshot, 0)))) {
                                driver.readAll();
                            }
                        })
                .rootCause()
                .hasMessageContaining("snapshot 1 is not there any more");
        assertThatThrownBy(
                        () ->
                                new KvScan(
                                        table.service(),
                                        new BatchDecoder(
                                                table.info().schema(), new RowShape.Plain(), null),
                                        state(snapshot, 0)))
                .hasMessageContaining("Start the job without this checkpoint");
    }
}
