package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.measure.Percentiles;
import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.OrderView;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * When each of a number of rows arrived. One thread adds, another asks how many there are, and
 * looks at the times after all have arrived.
 */
final class Arrivals implements RowReader.Sink {
    private final long[] nanos;
    private final AtomicInteger count = new AtomicInteger();
    private long checksum;
    private String wrong;

    Arrivals(int rows) {
        nanos = new long[rows];
    }

    /** The row is here now. */
    @Override
    public void accept(OrderView row) {
        add(row.orderId(), Checksum.of(row), System.nanoTime());
    }

    void add(long orderId, long rowChecksum, long atNanos) {
        if (orderId < 0 || orderId >= nanos.length) {
            wrong = "a row " + orderId + " that nobody wrote";
        } else if (nanos[(int) orderId] != 0) {
            wrong = "row " + orderId + " a second time";
        } else {
            nanos[(int) orderId] = atNanos;
        }
        checksum += rowChecksum;
        count.incrementAndGet();
    }

    /** How many rows came, wrong ones too. */
    int count() {
        return count.get();
    }

    /**
     * From when each row was due until it was here, of the rows from this one on.
     *
     * @param checksumOfAll that of all rows
     */
    Percentiles since(long startNanos, long stepNanos, int firstRow, long checksumOfAll) {
        if (wrong != null) {
            throw new WrongAnswerException("what the reader got", "each row once", wrong);
        }
        WrongAnswerException.check("the number of rows read", nanos.length, count());
        WrongAnswerException.check("the checksum of the rows read", checksumOfAll, checksum);
        long[] times = Arrays.copyOfRange(nanos, firstRow, nanos.length);
        for (int i = 0; i < times.length; i++) {
            times[i] -= startNanos + (firstRow + i) * stepNanos;
        }
        return new Percentiles(times);
    }
}
