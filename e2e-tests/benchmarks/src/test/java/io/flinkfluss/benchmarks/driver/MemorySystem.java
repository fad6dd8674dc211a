package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.OrderRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A system in this process, which keeps rows as they are, or as a test wants them to be wrong. */
final class MemorySystem implements SystemClient {
    static final int LEADER = 2;

    private final Map<String, List<OrderRow>> logs = new HashMap<>();
    private final Map<String, Map<Long, OrderRow>> tables = new HashMap<>();
    private final UnaryOperator<List<OrderRow>> reading;
    private final UnaryOperator<OrderRow> lookingUp;

    /**
     * @param reading what a reader gets for the rows of a log
     * @param lookingUp what a lookup gets for a row; null for nothing
     */
    MemorySystem(UnaryOperator<List<OrderRow>> reading, UnaryOperator<OrderRow> lookingUp) {
        this.reading = reading;
        this.lookingUp = lookingUp;
    }

    /** Names of tables that were not dropped. */
    List<String> left() {
        List<String> names = new ArrayList<>(logs.keySet());
        names.addAll(tables.keySet());
        return names;
    }

    @Override
    public synchronized void createLog(String table, int buckets) {
        logs.put(table, new ArrayList<>());
    }

    @Override
    public synchronized void createKeyed(String table, int buckets) {
        tables.put(table, new HashMap<>());
    }

    @Override
    public void createByCustomer(String table, int buckets) {
        createKeyed(table, buckets);
    }

    @Override
    public synchronized void drop(String table) {
        logs.remove(table);
        tables.remove(table);
    }

    @Override
    public RowWriter appender(String table) {
        return new Writer(row -> logs.get(table).add(row));
    }

    @Override
    public RowWriter upserter(String table) {
        return new Writer(row -> tables.get(table).put(row.orderId(), row));
    }

    @Override
    public RowReader reader(String table, Columns columns) {
        return new Reader(table);
    }

    @Override
    public KeyLookup lookup(String table) {
        return new KeyLookup() {
            @Override
            public CompletableFuture<Long> checksum(long orderId) {
                OrderRow row = lookingUp.apply(tables.get(table).get(orderId));
                return row == null
                        ? CompletableFuture.failedFuture(new IllegalStateException("no row"))
                        : CompletableFuture.completedFuture(Checksum.of(row));
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public CustomerLookup customerLookup(String table) {
        return new CustomerLookup() {
            @Override
            public CompletableFuture<Found> orders(long customerId) {
                List<OrderRow> rows =
                        tables.get(table).values().stream()
                                .filter(row -> row.customerId() == customerId)
                                .map(lookingUp)
                                .filter(Objects::nonNull)
                                .toList();
                return CompletableFuture.completedFuture(
                        new Found(rows.size(), rows.stream().mapToLong(Checksum::of).sum()));
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public int leader(String table) {
        return LEADER;
    }

    @Override
    public synchronized long countRows(String table) {
        return logs.get(table).size();
    }

    @Override
    public void close() {}

    /** Takes a row, under the system's lock. */
    private interface Store {
        void take(OrderRow row);
    }

    private final class Writer implements RowWriter {
        private final Store store;

        Writer(Store store) {
            this.store = store;
        }

        @Override
        public void write(OrderRow row) {
            synchronized (MemorySystem.this) {
                store.take(row);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private final class Reader implements RowReader {
        private final String table;
        private int position;

        Reader(String table) {
            this.table = table;
        }

        @Override
        public void poll(Duration patience, Sink sink) {
            List<OrderRow> rows;
            synchronized (MemorySystem.this) {
                List<OrderRow> log = logs.get(table);
                rows = reading.apply(new ArrayList<>(log.subList(position, log.size())));
                position = log.size();
            }
            rows.forEach(sink::accept);
        }

        @Override
        public void close() {}
    }
}
