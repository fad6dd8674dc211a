package io.flinkfluss.benchmarks.driver;

/**
 * A connected client of one system. What it makes is used by one thread at a time and closed before
 * it; several may be in use at once.
 */
public interface SystemClient extends AutoCloseable {
    /** Which columns a reader gives. */
    enum Columns {
        ALL,
        CUSTOMER_AND_QUANTITY
    }

    /** Creates a log of orders and returns when it can be written and read. */
    void createLog(String table, int buckets) throws Exception;

    /**
     * Creates a table of orders by order id and returns when it can be written and looked up.
     *
     * @throws UnsupportedOperationException by a system that has no such tables
     */
    void createKeyed(String table, int buckets) throws Exception;

    /**
     * Creates a table of orders by customer and order id, with all orders of a customer in one
     * bucket, and returns when it can be written and looked up.
     *
     * @throws UnsupportedOperationException by a system that has no such tables
     */
    void createByCustomer(String table, int buckets) throws Exception;

    void drop(String table) throws Exception;

    RowWriter appender(String table) throws Exception;

    /** Inserts rows, or replaces those with the same key. */
    RowWriter upserter(String table) throws Exception;

    /** Reads a log from its beginning and goes on for ever. */
    RowReader reader(String table, Columns columns) throws Exception;

    /**
     * The same for somebody who is looking for orders from one id up to, not including, another.
     * What a system gives beside them, and does not {@linkplain RowReader#passedOver pass over}, is
     * up to it; one that cannot leave out anything gives all.
     */
    default RowReader reader(String table, Columns columns, long firstOrder, long endOrder)
            throws Exception {
        return reader(table, columns);
    }

    KeyLookup lookup(String table) throws Exception;

    CustomerLookup customerLookup(String table) throws Exception;

    /** The number of the node, from 1, that leads the first bucket of a log. */
    int leader(String table) throws Exception;

    /** How many rows a log has, by its own offsets. */
    long countRows(String table) throws Exception;

    @Override
    void close() throws Exception;
}
