package io.flinkfluss.benchmarks.rows;

/**
 * Numbers that depend on every field of a row, made to be added up: the sum over a table does not
 * depend on the order of its rows, but a field that moved to another row changes it.
 */
public final class Checksum {
    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

    private Checksum() {}

    /** The number of a row with all its fields. */
    public static long of(OrderView row) {
        long sum = row.orderId();
        sum = sum * ODD + row.customerId();
        sum = sum * ODD + row.itemMark();
        sum = sum * ODD + Double.doubleToRawLongBits(row.price());
        sum = sum * ODD + row.quantity();
        sum = sum * ODD + row.statusMark();
        sum = sum * ODD + row.timeMillis();
        sum = sum * ODD + row.noteMark();
        return scramble(sum);
    }

    /** The number of a row of which only customer and quantity are read. */
    public static long ofProjection(OrderView row) {
        return scramble(row.customerId() * ODD + row.quantity());
    }

    /** A bijection in which every bit of the argument moves about half of the result's. */
    static long scramble(long value) {
        long mixed = (value ^ value >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return mixed ^ mixed >>> 32;
    }
}
