package io.flinkfluss.benchmarks.rows;

/**
 * One row of the orders schema, wherever its fields are. Views that readers hand out are reused: do
 * not keep them. With a projection only {@link #customerId} and {@link #quantity} may be asked.
 */
public interface OrderView {
    long orderId();

    long customerId();

    /** The {@link TextMark} of the item. */
    long itemMark();

    double price();

    int quantity();

    /** The {@link TextMark} of the status. */
    long statusMark();

    /** Milliseconds since 1970-01-01 UTC. */
    long timeMillis();

    /** The {@link TextMark} of the note. */
    long noteMark();
}
