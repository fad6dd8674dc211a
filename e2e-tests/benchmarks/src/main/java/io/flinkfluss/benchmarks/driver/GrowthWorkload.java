package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.measure.Curve;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.OrderRow;
import io.flinkfluss.benchmarks.rows.Permutation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a row costs, in processor time of client and servers, while there are more rows, buckets or
 * tables. A quarter more rows than are counted comes before these, so that connections and files
 * are there.
 */
final class GrowthWorkload {
    private static final int PART_BEFORE = 4;
    private static final int LOOKED_UP = 1_000;
    private static final int LOOKUPS_IN_FLIGHT = 100;
    private static final long ORDER_OF_KEYS = 6;
    private static final long ORDER_OF_LOOKUPS = 7;

    private final Work work;
    private final Curve.Way way;
    private final Sizes sizes;
    private int tablesSoFar;

    /**
     * What stays, and where growth begins.
     *
     * @param buckets of a table
     * @param rows of the smallest table
     * @param counted rows at each step, more where a table has more
     */
    record Sizes(int buckets, int rows, int counted) {}

    /**
     * One step.
     *
     * @param rows counted, in all tables
     * @param times how often this is done with new tables, as few rows cost too little to be seen
     */
    private record Step(int tables, int buckets, int rows, int times) {}

    GrowthWorkload(Work work, Curve.Way way, Sizes sizes) {
        this.work = work;
        this.way = way;
        this.sizes = sizes;
    }

    void warmUp(int rows) throws Exception {
        write(new Step(1, sizes.buckets(), rows, 1));
    }

    void run() throws Exception {
        for (Curve curve : Curve.values()) {
            for (int i = 0; i < Curve.SCALES.size() && curve.way() == way; i++) {
                Step step = step(curve.growing(), Curve.SCALES.get(i));
                Usage usage = write(step);
                for (int time = 1; time < step.times(); time++) {
                    usage = usage.plus(write(step));
                }
                work.figure(curve.measures().get(i), usage.cpuMicrosPerRow(), usage);
            }
        }
    }

    private Step step(Curve.Growing growing, int scale) {
        int buckets = sizes.buckets();
        return switch (growing) {
            case ROWS -> {
                int rows = scale * sizes.rows();
                yield new Step(1, buckets, rows, Math.max(1, sizes.counted() / rows));
            }
            case BUCKETS -> new Step(1, scale * buckets, sizes.counted(), 1);
            case TABLES -> new Step(scale, buckets, sizes.counted(), 1);
        };
    }

    /** Writes to new tables, checks and drops them. */
    private Usage write(Step step) throws Exception {
        List<String> tables = new ArrayList<>();
        for (int i = 0; i < step.tables(); i++) {
            String table = "growth_" + way + "_" + tablesSoFar++;
            create(table, step.buckets());
            tables.add(table);
        }
        int before = step.rows() / PART_BEFORE;
        Rows rows = new Rows(tables.size(), before + step.rows());
        Usage usage;
        try (Writers writers = new Writers()) {
            for (String table : tables) {
                writers.add(writer(table));
            }
            writers.write(rows, 0, before);
            Meter meter = work.begin();
            writers.write(rows, before, rows.count());
            usage = meter.stop(step.rows());
        }
        check(tables, rows);
        for (String table : tables) {
            work.client().drop(table);
        }
        return usage;
    }

    private void create(String table, int buckets) throws Exception {
        switch (way) {
            case APPEND -> work.client().createLog(table, buckets);
            case INSERT -> work.client().createKeyed(table, buckets);
        }
    }

    private RowWriter writer(String table) throws Exception {
        return switch (way) {
            case APPEND -> work.client().appender(table);
            case INSERT -> work.client().upserter(table);
        };
    }

    private void check(List<String> tables, Rows rows) throws Exception {
        switch (way) {
            case APPEND -> {
                long count = 0;
                for (String table : tables) {
                    count += work.client().countRows(table);
                }
                WrongAnswerException.check("the number of rows", rows.count(), count);
            }
            case INSERT -> lookUpSome(tables, rows);
        }
    }

    /** Random rows, since a lookup of all would take as long as the rows did. */
    private void lookUpSome(List<String> tables, Rows rows) throws Exception {
        List<KeyLookup> lookups = new ArrayList<>();
        for (String table : tables) {
            lookups.add(work.client().lookup(table));
        }
        Permutation order = new Permutation(rows.count(), ORDER_OF_LOOKUPS);
        long expected = 0;
        LongAdder found = new LongAdder();
        InFlight inFlight = new InFlight(LOOKUPS_IN_FLIGHT);
        for (int i = 0; i < Math.min(LOOKED_UP, rows.count()); i++) {
            int number = (int) order.at(i);
            OrderRow row = rows.row(number);
            expected += Checksum.of(row);
            KeyLookup lookup = lookups.get(number % tables.size());
            inFlight.begin(() -> lookup.checksum(row.orderId()), found::add);
        }
        inFlight.finish();
        for (KeyLookup lookup : lookups) {
            lookup.close();
        }
        WrongAnswerException.check("the checksum of some keys", expected, found.sum());
    }

    /** The rows of a step: row by row another table has its turn, each gets keys at random. */
    private final class Rows {
        private final int tables;
        private final int count;
        private final Permutation keys;

        Rows(int tables, int count) {
            this.tables = tables;
            this.count = count;
            keys = new Permutation((count + tables - 1) / tables, ORDER_OF_KEYS);
        }

        int count() {
            return count;
        }

        OrderRow row(int number) {
            return switch (way) {
                case APPEND -> work.rows().row(number);
                case INSERT -> work.rows().row(keys.at(number / tables), number);
            };
        }
    }

    /** A writer for each table. */
    private static final class Writers implements AutoCloseable {
        private final List<RowWriter> all = new ArrayList<>();

        void add(RowWriter writer) {
            all.add(writer);
        }

        /** Returns when all are acknowledged. */
        void write(Rows rows, int first, int end) throws Exception {
            for (int i = first; i < end; i++) {
                all.get(i % all.size()).write(rows.row(i));
            }
            for (RowWriter writer : all) {
                writer.flush();
            }
        }

        @Override
        public void close() throws Exception {
            for (RowWriter writer : all) {
                writer.close();
            }
        }
    }
}
