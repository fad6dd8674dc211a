package io.flinkfluss.flink.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.flink.source.shape.RowShape;
import io.flinkfluss.flink.source.startup.Startup;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The source inside of real jobs. */
@Timeout(120)
class FlussSourceJobTest {
    @RegisterExtension
    private static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    private static final Column ID = Column.of(0, "id", DataType.of(TypeRoot.INT).notNull());
    private static final Column NAME = Column.of(1, "name", DataType.of(TypeRoot.STRING));

    @TempDir private Path folder;
    private TestTable table;

    @AfterEach
    void closeTable() {
        table.close();
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

    @Test
    void aBoundedReadSeesEveryTypeAndEnds() throws Exception {
        table =
                TestTable.log(
                        1,
                        Column.of(0, "a", DataType.of(TypeRoot.BOOLEAN)),
                        Column.of(1, "b", DataType.of(TypeRoot.TINYINT)),
                        Column.of(2, "c", DataType.of(TypeRoot.SMALLINT)),
                        Column.of(3, "d", DataType.of(TypeRoot.BIGINT)),
                        Column.of(4, "e", DataType.of(TypeRoot.FLOAT)),
                        Column.of(5, "f", DataType.of(TypeRoot.DOUBLE)),
                        Column.of(6, "g", DataType.of(TypeRoot.CHAR, 2)),
                        Column.of(7, "h", DataType.of(TypeRoot.BYTES)),
                        Column.of(8, "i", DataType.decimal(10, 2)),
                        Column.of(9, "j", DataType.decimal(38, 3)),
                        Column.of(10, "k", DataType.of(TypeRoot.DATE)),
                        Column.of(11, "l", DataType.of(TypeRoot.TIME, 3)),
                        Column.of(12, "m", DataType.of(TypeRoot.TIMESTAMP, 9)),
                        Column.of(13, "n", DataType.of(TypeRoot.TIMESTAMP_LTZ, 6)));
        table.append(
                0,
                GenericRow.of(
                        true,
                        (byte) 1,
                        (short) 2,
                        Long.MIN_VALUE,
                        1.5f,
                        -2.5,
                        "ab",
                        new byte[] {1, 2},
                        new BigDecimal("-1.25"),
                        new BigDecimal("12345678901234567890123456789.125"),
                        11_000,
                        1_234,
                        LocalDateTime.parse("1969-12-31T23:59:59.123456789"),
                        Instant.parse("2001-02-03T04:05:06.000007Z")),
                GenericRow.of(
                        null, null, null, null, null, null, null, null, null, null, null, null,
                        null, null));
        try (RecordingJob job = RecordingJob.start(table.source().bounded().build(), 1)) {
            assertThat(job.takeAll())
                    .containsExactly(
                            "+I[true, 1, 2, -9223372036854775808, 1.5, -2.5, ab, [1, 2], -1.25,"
                                    + " 12345678901234567890123456789.125, 11000, 1234,"
                                    + " 1969-12-31T23:59:59.123456789, 2001-02-03T04:05:06.000007]",
                            "+I[null, null, null, null, null, null, null, null, null, null, null,"
                                    + " null, null, null]");
        }
    }

    @Test
    void anUnboundedReadOfManyBucketsFollowsTheLog() throws Exception {
        table = TestTable.log(3, ID, NAME);
        table.append(0, rows(0, 5));
        table.append(1, rows(5, 10));
        try (RecordingJob job =
                RecordingJob.start(table.source().startup(new Startup.Earliest()).build(), 2)) {
            assertThat(job.take(10)).containsExactlyInAnyOrderElementsOf(texts(0, 10));
            table.append(2, rows(10, 15));
            table.append(0, rows(15, 20));
            assertThat(job.take(10)).containsExactlyInAnyOrderElementsOf(texts(10, 20));
        }
    }

    @Test
    void aReadFromATimestampBeginsAtTheFirstRowThatWasCommittedThen() throws Exception {
        table = TestTable.log(1, ID, NAME);
        table.append(0, rows(0, 2));
        table.pass(Duration.ofSeconds(1));
        table.append(0, rows(2, 4));
        FlussSource source =
                table.source()
                        .startup(new Startup.Timestamp(TestTable.START_MILLIS + 1))
                        .bounded()
                        .build();
        try (RecordingJob job = RecordingJob.start(source, 1)) {
            assertThat(job.takeAll()).isEqualTo(texts(2, 4));
        }
    }

    /** Field case O-13. */
    @Test
    void aJobFromLatestThatSawNoRowKeepsItsOffsetInASavepoint(
            @InjectMiniCluster MiniCluster cluster) throws Exception {
        table = TestTable.log(2, ID, NAME);
        table.append(0, rows(0, 10));
        FlussSource source = table.source().startup(new Startup.Latest()).build();
        String savepoint;
        try (RecordingJob job = RecordingJob.start(source, 2)) {
            savepoint = job.stopWithSavepoint(cluster, folder);
            assertThat(job.left()).isEmpty();
        }
        table.append(0, row(11, "n11"));
        try (RecordingJob job = RecordingJob.restore(source, 2, savepoint)) {
            assertThat(job.take(1)).isEqualTo(texts(11, 12));
            table.append(1, row(12, "n12"));
            assertThat(job.take(1)).isEqualTo(texts(12, 13));
            assertThat(job.left()).isEmpty();
        }
    }

    @Test
    void aSavepointGoesOnExactlyWhereItStoppedWithAnotherParallelism(
            @InjectMiniCluster MiniCluster cluster) throws Exception {
        table = TestTable.log(4, ID, NAME);
        for (int bucket = 0; bucket < 4; bucket++) {
            table.append(bucket, rows(bucket * 20_000, bucket * 20_000 + 20_000));
        }
        FlussSource source = table.source().build();
        List<String> all = new ArrayList<>();
        String savepoint;
        try (RecordingJob job = RecordingJob.start(source, 3)) {
            all.addAll(job.take(1));
            savepoint = job.stopWithSavepoint(cluster, folder);
            all.addAll(job.left());
        }
        try (RecordingJob job = RecordingJob.restore(source, 2, savepoint)) {
            all.addAll(job.take(80_000 - all.size()));
            table.append(3, rows(80_000, 80_001));
            all.addAll(job.take(1));
            assertThat(job.left()).isEmpty();
        }
        assertThat(all).doesNotHaveDuplicates().hasSize(80_001);
    }

    @Test
    void aFullReadOfAKeyedTableIsItsStateThenItsChangesAcrossASavepoint(
            @InjectMiniCluster MiniCluster cluster) throws Exception {
        table = TestTable.keyed(2, ID, NAME);
        table.upsert(0, row(0, "old"), row(2, "n2"));
        table.upsert(0, row(0, "n0"));
        table.upsert(1, row(1, "n1"));
        FlussSource source = table.source().build();
        String savepoint;
        try (RecordingJob job = RecordingJob.start(source, 2)) {
            assertThat(job.take(3)).containsExactlyInAnyOrderElementsOf(texts(0, 3));
            table.upsert(0, row(2, "new"));
            assertThat(job.take(2)).containsExactly("-U[2, n2]", "+U[2, new]");
            savepoint = job.stopWithSavepoint(cluster, folder);
        }
        table.delete(1, row(1, ""));
        try (RecordingJob job = RecordingJob.restore(source, 1, savepoint)) {
            assertThat(job.take(1)).containsExactly("-D[1, n1]");
            assertThat(job.left()).isEmpty();
        }
    }

    @Test
    void aBoundedFullReadOfAKeyedTableIsItsState() throws Exception {
        table = TestTable.keyed(2, ID, NAME);
        table.upsert(0, row(0, "old"));
        table.upsert(0, row(0, "n0"), row(2, "n2"));
        table.delete(0, row(2, ""));
        try (RecordingJob job = RecordingJob.start(table.source().bounded().build(), 2)) {
            assertThat(job.takeAll()).isEqualTo(texts(0, 1));
        }
    }

    @Test
    void theChangelogOfAFullReadBeginsWithTheLogAndNotWithTheState() throws Exception {
        table = TestTable.keyed(1, ID, NAME);
        table.upsert(0, row(1, "a"));
        table.upsert(0, row(1, "b"));
        FlussSource source = table.source().shape(new RowShape.Changelog()).bounded().build();
        try (RecordingJob job = RecordingJob.start(source, 1)) {
            assertThat(job.takeAll())
                    .containsExactly(
                            "+I[insert, 0, 1970-01-01T00:16:40, 1, a]",
                            "+I[update_before, 1, 1970-01-01T00:16:40, 1, a]",
                            "+I[update_after, 2, 1970-01-01T00:16:40, 1, b]");
        }
    }

    @Test
    void wrongColumnsAndShapesAreRefusedWhenTheSourceIsBuilt() {
        table = TestTable.log(1, ID, NAME);
        assertThatThrownBy(() -> table.source().projectedFields("id", "nam").build())
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("no column nam")
                .hasMessageContaining("[id, name]");
        assertThatThrownBy(() -> table.source().shape(new RowShape.Binlog()).build())
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("no primary key");
    }
}
