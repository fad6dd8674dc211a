package io.flinkfluss.flink.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.flink.source.FlussSource;
import io.flinkfluss.flink.source.TestTable;
import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.LogSplit;
import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.ColumnPredicate.Operator;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.List;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A source of which the service leaves out batches of two rows. */
@Timeout(60)
class FilteredReadTest {
    private static final Column ID = Column.of(0, "id", DataType.of(TypeRoot.INT).notNull());

    private TestTable table;

    @BeforeEach
    void open() {
        table = TestTable.log(1, ID);
        for (int id = 0; id < 20; id += 2) {
            append(id);
        }
    }

    @AfterEach
    void close() {
        table.close();
    }

    private void append(int id) {
        table.append(0, GenericRow.of(id), GenericRow.of(id + 1));
    }

    private FlussSource ids(Object... ids) throws Exception {
        FlussSource source =
                table.source()
                        .filter(
                                new LogFilter(
                                        table.info().schema().id(),
                                        List.of(ColumnPredicate.of(ID, Operator.IN, ids))))
                        .build();
        return InstantiationUtil.clone(source);
    }

    private List<LogSplit> log(long start, long stop) {
        return List.of(new LogSplit(table.bucket(0), start, stop));
    }

    private static void awaitOffset(ReaderDriver driver, long offset) throws Exception {
        while (((LogSplit) driver.checkpoint().get(0)).startOffset() < offset) {
            driver.awaitStep();
        }
    }

    @Test
    void aBoundedReadEndsThoughItsLastRowsWereLeftOut() throws Exception {
        try (ReaderDriver driver = new ReaderDriver(ids(5, 12), log(1, 19))) {
            assertThat(driver.readAll()).containsExactly("+I[4]", "+I[5]", "+I[12]", "+I[13]");
        }
        try (ReaderDriver driver = new ReaderDriver(ids(100), log(0, 20))) {
            assertThat(driver.readAll()).isEmpty();
        }
        try (ReaderDriver driver = new ReaderDriver(ids(18), log(0, 5))) {
            assertThat(driver.readAll()).isEmpty();
        }
    }

    @Test
    void aRestartGoesOnAfterWhatWasLeftOut() throws Exception {
        List<FlussSplit> checkpoint;
        try (ReaderDriver driver = new ReaderDriver(ids(2, 31), log(0, ScanRequest.UNBOUNDED))) {
            driver.awaitRows(2);
            awaitOffset(driver, 20);
            append(20);
            awaitOffset(driver, 22);
            assertThat(driver.rows()).containsExactly("+I[2]", "+I[3]");
            checkpoint = driver.checkpoint();
        }
        assertThat(checkpoint).isEqualTo(log(22, ScanRequest.UNBOUNDED));
        append(30);
        try (ReaderDriver driver = new ReaderDriver(ids(2, 31), checkpoint)) {
            driver.awaitRows(2);
            assertThat(driver.rows()).containsExactly("+I[30]", "+I[31]");
        }
    }
}
