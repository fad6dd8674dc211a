package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.OrderRow;
import io.flinkfluss.benchmarks.rows.Permutation;
import java.util.concurrent.atomic.LongAdder;

/**
 * Looks up all orders of every customer, a customer a lookup, with many lookups in flight. Each
 * customer has ten orders, and is asked for several times, as there are far fewer customers than
 * orders.
 */
final class CustomerWorkload {
    private static final int ORDERS_OF_EACH = 10;
    private static final int ROUNDS = 4;
    private static final long ORDER_OF_INSERTS = 4;
    private static final long ORDER_OF_LOOKUPS = 5;

    private final Work work;
    private final int buckets;
    private final int inFlight;

    /**
     * @param inFlight lookups that are on their way at once
     */
    CustomerWorkload(Work work, int buckets, int inFlight) {
        this.work = work;
        this.buckets = buckets;
        this.inFlight = inFlight;
    }

    void run(String table, int customers) throws Exception {
        work.client().createByCustomer(table, buckets);
        long checksum = insert(table, customers);
        try (CustomerLookup lookup = work.client().customerLookup(table)) {
            lookUp(lookup, customers, checksum);
        }
        work.client().drop(table);
    }

    /** Returns the checksum of all rows; they are not a figure, as they are those of W3. */
    private long insert(String table, int customers) throws Exception {
        int rows = customers * ORDERS_OF_EACH;
        Permutation order = new Permutation(rows, ORDER_OF_INSERTS);
        long checksum = 0;
        try (RowWriter writer = work.client().upserter(table)) {
            for (int i = 0; i < rows; i++) {
                long orderId = order.at(i);
                OrderRow row = work.rows().row(orderId).ofCustomer(orderId % customers);
                checksum += Checksum.of(row);
                writer.write(row);
            }
            writer.flush();
        }
        return checksum;
    }

    private void lookUp(CustomerLookup lookup, int customers, long checksum) throws Exception {
        LongAdder rows = new LongAdder();
        LongAdder sum = new LongAdder();
        InFlight lookups = new InFlight(inFlight);
        Meter meter = work.begin();
        for (int round = 0; round < ROUNDS; round++) {
            Permutation order = new Permutation(customers, ORDER_OF_LOOKUPS + round);
            for (int i = 0; i < customers; i++) {
                long customer = order.at(i);
                lookups.begin(
                        () -> lookup.orders(customer),
                        found -> {
                            rows.add(found.orders());
                            sum.add(found.checksum());
                        });
            }
        }
        lookups.finish();
        Usage usage = meter.stop((long) ROUNDS * customers);
        WrongAnswerException.check(
                "the number of orders of all customers",
                (long) ROUNDS * customers * ORDERS_OF_EACH,
                rows.sum());
        WrongAnswerException.check(
                "the checksum of the orders of all customers", ROUNDS * checksum, sum.sum());
        work.rate(Measure.LOOKUP_PREFIX, usage);
    }
}
