package io.flinkfluss.flink.unionread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.flink.connection.MemoryConnector;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.unionread.plan.UnionScan;
import io.flinkfluss.flink.unionread.plan.UnionScan.Tiers;
import io.flinkfluss.flink.unionread.split.PlannedSplits;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnionEnumeratorTest {
    private static final PlannedSplits NOTHING = new PlannedSplits(false, List.of());

    private final InMemoryStorageService service = new InMemoryStorageService();
    private final Context context = new Context();
    private TableInfo table;
    private String servers;

    @BeforeEach
    void create() {
        MemoryLake.clear();
        servers = MemoryConnector.register("union-enumerator", service);
        Schema schema =
                new Schema(1, List.of(Column.of(1, "id", DataType.of(TypeRoot.INT))), List.of());
        table =
                service.admin()
                        .createTable(
                                new TablePath("fluss", "t"),
                                new TableDescriptor(
                                        schema, List.of(), List.of(), 3, Map.of(), Map.of(), ""));
        table.buckets()
                .forEach(
                        bucket ->
                                service.logAppender()
                                        .append(
                                                bucket,
                                                WriterStamp.NONE,
                                                TestBatches.arrow(schema, GenericRow.of(1)))
                                        .join());
    }

    @AfterEach
    void unregister() {
        MemoryConnector.unregister("union-enumerator");
    }

    @Test
    void aBoundedReadHandsOutOneSplitPerRequestAndThenEnds() {
        UnionEnumerator enumerator = enumerator(Tiers.BOUNDED, NOTHING);
        context.register(0, 1);
        enumerator.handleSplitRequest(0, "host");
        assertThat(context.assigned).as("before the plan").isEmpty();

        enumerator.start();
        context.runPlanning();
        enumerator.handleSplitRequest(1, "host");
        enumerator.handleSplitRequest(0, "host");
        assertThat(context.assigned).containsOnlyKeys(0, 1);
        assertThat(context.assigned.get(0)).hasSize(2);
        assertThat(context.assigned.get(1)).hasSize(1);
        assertThat(context.ended).isEmpty();

        enumerator.handleSplitRequest(0, "host");
        enumerator.handleSplitRequest(1, "host");
        assertThat(context.ended).containsExactly(0, 1);
    }

    @Test
    void splitsOfAFailedReaderGoToTheNextThatAsks() {
        UnionEnumerator enumerator = enumerator(Tiers.BOUNDED, NOTHING);
        context.register(0, 1);
        enumerator.start();
        context.runPlanning();
        enumerator.handleSplitRequest(0, "host");
        List<UnionSplit> lost = List.copyOf(context.assigned.get(0));

        enumerator.addSplitsBack(lost, 0);

        assertThat(enumerator.snapshotState(1).waiting()).hasSize(3).containsAll(lost);
    }

    @Test
    void anUnboundedReadGivesEachBucketToItsReader() {
        UnionEnumerator enumerator = enumerator(Tiers.UNBOUNDED, NOTHING);
        context.register(1);
        enumerator.start();
        context.runPlanning();
        assertThat(context.assigned).containsOnlyKeys(1);

        context.register(0);
        enumerator.addReader(0);
        assertThat(context.assigned.get(0)).hasSize(2);
        assertThat(context.assigned.get(1)).hasSize(1);
        assertThat(context.ended).isEmpty();
    }

    @Test
    void aRestoredEnumeratorDoesNotPlanAgain() {
        UnionEnumerator first = enumerator(Tiers.BOUNDED, NOTHING);
        assertThat(first.snapshotState(1)).isEqualTo(NOTHING);
        first.start();
        context.runPlanning();
        PlannedSplits state = first.snapshotState(2);

        UnionEnumerator restored = enumerator(Tiers.BOUNDED, state);
        context.register(0);
        restored.start();
        assertThat(context.planning).isNull();
        restored.handleSplitRequest(0, "host");
        assertThat(context.assigned.get(0)).containsExactly(state.waiting().get(0));
    }

    @Test
    void aPlanThatFailsNamesTheTable() {
        service.admin().dropTable(table.path());
        UnionEnumerator enumerator = enumerator(Tiers.BOUNDED, NOTHING);
        enumerator.start();

        assertThatThrownBy(context::runPlanning)
                .hasMessageContaining("cannot plan the read of table fluss.t");
    }

    private UnionEnumerator enumerator(Tiers tiers, PlannedSplits state) {
        UnionScan scan =
                UnionScan.of(
                        table,
                        ConnectionOptions.of(servers),
                        MemoryLake.settings(),
                        new int[] {0},
                        tiers);
        return new UnionEnumerator(context, scan, state);
    }

    /** Two readers at most; planning runs when the test says so. */
    private static final class Context implements SplitEnumeratorContext<UnionSplit> {
        private final Map<Integer, ReaderInfo> readers = new HashMap<>();
        private final Map<Integer, List<UnionSplit>> assigned = new HashMap<>();
        private final List<Integer> ended = new ArrayList<>();
        private Runnable planning;

        void register(int... subtasks) {
            for (int subtask : subtasks) {
                readers.put(subtask, new ReaderInfo(subtask, "host"));
            }
        }

        void runPlanning() {
            planning.run();
            planning = null;
        }

        @Override
        public SplitEnumeratorMetricGroup metricGroup() {
            return UnregisteredMetricsGroup.createSplitEnumeratorMetricGroup();
        }

        @Override
        public void sendEventToSourceReader(int subtask, SourceEvent event) {
            throw new UnsupportedOperationException("union readers take no events");
        }

        @Override
        public int currentParallelism() {
            return 2;
        }

        @Override
        public Map<Integer, ReaderInfo> registeredReaders() {
            return readers;
        }

        @Override
        public void assignSplits(SplitsAssignment<UnionSplit> assignment) {
            assignment
                    .assignment()
                    .forEach(
                            (subtask, splits) ->
                                    assigned.computeIfAbsent(subtask, key -> new ArrayList<>())
                                            .addAll(splits));
        }

        @Override
        public void signalNoMoreSplits(int subtask) {
            ended.add(subtask);
        }

        @Override
        public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
            planning =
                    () -> {
                        T result;
                        try {
                            result = callable.call();
                        } catch (Exception e) {
                            handler.accept(null, e);
                            return;
                        }
                        handler.accept(result, null);
                    };
        }

        @Override
        public <T> void callAsync(
                Callable<T> callable,
                BiConsumer<T, Throwable> handler,
                long initialDelayMillis,
                long periodMillis) {
            throw new UnsupportedOperationException("a union is planned once");
        }

        @Override
        public void runInCoordinatorThread(Runnable runnable) {
            runnable.run();
        }
    }
}
