package io.flinkfluss.flink.tiering;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.lake.LakeTables;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.table.TableInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The job on a small Flink cluster, between a service and a lake in memory. */
class TieringJobTest {
    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    private final TestLake test = new TestLake();

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void newRowsReachTheLakeThroughFailuresAndRestarts() throws Exception {
        TableInfo events = test.create(LakeTables.logTable(0, "events"));
        TableInfo users = test.create(LakeTables.keyedTable(0, "users"));
        List<List<Object>> sent = new ArrayList<>();
        append(events, sent);
        JobClient job = submit();
        awaitRows(events, sent);

        for (int i = 0; i < 5; i++) {
            append(events, sent);
            test.upsert(users, i % 2, GenericRow.of("version " + i, 1L * (i % 2)));
            test.warehouse().loseAnswers(i % 2);
            test.warehouse().failCommits(i % 2);
        }
        awaitRows(events, sent);
        cancel(job);
        append(events, sent);
        JobClient again = submit();
        awaitRows(events, sent);
        awaitRows(users, List.of(List.of("version 4", 0L), List.of("version 3", 1L)));
        assertThat(test.service().latest(events.id())).isPresent();

        // a table that is made later is found, and one that is dropped disturbs nobody
        TableInfo late = test.create(LakeTables.logTable(0, "late"));
        test.service().admin().dropTable(users.path());
        List<List<Object>> lateRows = new ArrayList<>();
        append(late, lateRows);
        awaitRows(late, lateRows);
        cancel(again);
    }

    private void append(TableInfo table, List<List<Object>> sent) {
        for (int bucket = 0; bucket < 2; bucket++) {
            long id = sent.size();
            test.append(table, bucket, GenericRow.of(id, "row " + id));
            sent.add(List.of(id, "row " + id));
        }
    }

    private JobClient submit() throws Exception {
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
        environment.setParallelism(2);
        TieringJob.build(environment, test.options());
        return environment.executeAsync("tiering");
    }

    private static void cancel(JobClient job) throws Exception {
        job.cancel().get(30, TimeUnit.SECONDS);
        await("the job ended", () -> job.getJobStatus().join().isGloballyTerminalState());
    }

    private void awaitRows(TableInfo table, List<List<Object>> rows) {
        await("rows of " + table.path(), () -> test.rows(table).size() >= rows.size());
        assertThat(test.rows(table)).containsExactlyInAnyOrderElementsOf(rows);
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what + " within a minute").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
