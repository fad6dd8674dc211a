package io.flinkfluss.flink.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.flink.source.TestTable;
import io.flinkfluss.flink.source.shape.OpenUpdate;
import io.flinkfluss.flink.source.shape.RowShape;
import io.flinkfluss.flink.source.split.LogSplit;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BucketScansTest {
    private static final Column ID = Column.of(0, "id", DataType.of(TypeRoot.INT));

    private TestTable table;
    private BatchDecoder decoder;
    private BucketScans scans;

    @BeforeEach
    void begin() {
        table = TestTable.log(3, ID);
        decoder = new BatchDecoder(table.info().schema(), new RowShape.Plain(), null);
        scans = new BucketScans(table.service(), decoder);
    }

    @AfterEach
    void end() {
        scans.close();
        decoder.close();
        table.close();
    }

    private LogSplit follow(int bucket) {
        return new LogSplit(table.bucket(bucket), 0, ScanRequest.UNBOUNDED);
    }

    private List<Integer> take(int batches) throws InterruptedException {
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            ids.addAll(ids(scans.next().orElseThrow()));
        }
        return ids;
    }

    private static List<Integer> ids(ScannedBatch batch) {
        List<Integer> ids = new ArrayList<>();
        OpenUpdate open = new OpenUpdate();
        for (int i = batch.position(); i < batch.end(); i++) {
            RowData row = batch.row(i, open);
            ids.add(row.getInt(0));
        }
        batch.recycle();
        return ids;
    }

    @Test
    void bucketsTakeTurnsSoThatNoneStarves() throws Exception {
        for (int id = 0; id < 3; id++) {
            table.append(0, GenericRow.of(id));
            table.append(1, GenericRow.of(10 + id));
        }
        scans.addLog(follow(0));
        scans.addLog(follow(1));
        assertThat(take(6)).containsExactly(0, 10, 1, 11, 2, 12);
    }

    @Test
    void aPausedBucketGivesNothingUntilItIsResumed() throws Exception {
        table.append(0, GenericRow.of(0));
        table.append(1, GenericRow.of(10));
        scans.addLog(follow(0));
        scans.addLog(follow(1));
        scans.pause(follow(0).splitId());
        assertThat(take(1)).containsExactly(10);
        table.append(0, GenericRow.of(1));
        table.append(1, GenericRow.of(11));
        assertThat(take(1)).containsExactly(11);
        scans.resume(follow(0).splitId());
        assertThat(take(2)).containsExactly(0, 1);
    }

    @Test
    void aRemovedBucketIsForgotten() throws Exception {
        table.append(0, GenericRow.of(0));
        table.append(1, GenericRow.of(10));
        scans.addLog(follow(0));
        scans.addLog(follow(1));
        scans.remove(follow(0).splitId());
        assertThat(take(1)).containsExactly(10);
        scans.remove(follow(1).splitId());
        assertThat(scans.isEmpty()).isTrue();
    }

    @Test
    void aRangeEndsWithItsLastRow() throws Exception {
        table.append(0, GenericRow.of(0), GenericRow.of(1), GenericRow.of(2));
        scans.addLog(new LogSplit(table.bucket(0), 1, 2));
        scans.addLog(new LogSplit(table.bucket(1), 0, 0));
        ScannedBatch rows = scans.next().orElseThrow();
        ScannedBatch empty = scans.next().orElseThrow();
        assertThat(rows.isLast()).isTrue();
        assertThat(ids(rows)).containsExactly(1);
        assertThat(empty.isLast()).isTrue();
        assertThat(empty.end()).isZero();
        assertThat(scans.isEmpty()).isTrue();
    }

    @Test
    void aWaitingReaderIsWokenByRowsAndByWakeUp() throws Exception {
        scans.addLog(follow(2));
        CompletableFuture<Optional<ScannedBatch>> woken = nextOnAnotherThread();
        scans.wakeUp();
        assertThat(woken.get(10, TimeUnit.SECONDS)).isEmpty();
        CompletableFuture<Optional<ScannedBatch>> rows = nextOnAnotherThread();
        table.append(2, GenericRow.of(5));
        assertThat(ids(rows.get(10, TimeUnit.SECONDS).orElseThrow())).containsExactly(5);
    }

    private CompletableFuture<Optional<ScannedBatch>> nextOnAnotherThread() {
        CompletableFuture<Optional<ScannedBatch>> answer = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                answer.complete(scans.next());
                            } catch (InterruptedException | RuntimeException e) {
                                answer.completeExceptionally(e);
                            }
                        });
        thread.setDaemon(true);
        thread.start();
        return answer;
    }

    @Test
    void closingTheDecoderFreesBatchesThatNobodyGaveBack() throws Exception {
        table.append(0, GenericRow.of(0));
        table.append(0, GenericRow.of(1));
        scans.addLog(follow(0));
        ScannedBatch first = scans.next().orElseThrow();
        ScannedBatch second = scans.next().orElseThrow();
        second.recycle();
        // fails when memory is left
        decoder.close();
        first.recycle();
        decoder.close();
        table.append(0, GenericRow.of(2));
        assertThatThrownBy(() -> scans.next())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void anUnknownTableIsAnErrorOfTheRead() {
        table.service().admin().dropTable(table.info().path());
        assertThatThrownBy(
                        () -> {
                            scans.addLog(follow(0));
                            scans.next();
                        })
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("does not exist");
    }
}
