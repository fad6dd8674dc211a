package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.rows.OrderView;
import java.time.Duration;

/** Reads rows as they come. */
public interface RowReader extends AutoCloseable {
    /** Takes rows; the view is reused for the next one. */
    interface Sink {
        void accept(OrderView row);
    }

    /** Gives what is here; waits for something up to {@code patience}. */
    void poll(Duration patience, Sink sink) throws Exception;

    /** How many rows were left out so far, because nobody is looking for them. */
    default long passedOver() {
        return 0;
    }

    @Override
    void close() throws Exception;
}
