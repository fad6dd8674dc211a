package io.flinkfluss.benchmarks.rows;

import java.nio.ByteBuffer;

/**
 * A row as bytes, for systems that store bytes without a schema: the numbers big-endian, then each
 * text with its length in two bytes. The view reads fields where they are. Not for several threads.
 */
public final class CompactForm implements OrderView {
    private static final int CUSTOMER = 8;
    private static final int PRICE = 16;
    private static final int TIME = 24;
    private static final int QUANTITY = 32;
    private static final int TEXTS = 36;
    private static final int LENGTH_BYTES = 2;

    private ByteBuffer row = ByteBuffer.allocate(0);

    /** The row's bytes. */
    public static byte[] encode(OrderRow row) {
        ByteBuffer bytes = ByteBuffer.allocate(row.sizeInBytes() + 3 * LENGTH_BYTES);
        bytes.putLong(row.orderId())
                .putLong(row.customerId())
                .putDouble(row.price())
                .putLong(row.timeMillis())
                .putInt(row.quantity());
        put(bytes, row.item());
        put(bytes, row.status());
        put(bytes, row.note());
        return bytes.array();
    }

    /** Moves this view to another row. */
    public CompactForm of(byte[] bytes) {
        row = ByteBuffer.wrap(bytes);
        return this;
    }

    @Override
    public long orderId() {
        return row.getLong(0);
    }

    @Override
    public long customerId() {
        return row.getLong(CUSTOMER);
    }

    @Override
    public long itemMark() {
        return mark(TEXTS);
    }

    @Override
    public double price() {
        return row.getDouble(PRICE);
    }

    @Override
    public int quantity() {
        return row.getInt(QUANTITY);
    }

    @Override
    public long statusMark() {
        return mark(end(TEXTS));
    }

    @Override
    public long timeMillis() {
        return row.getLong(TIME);
    }

    @Override
    public long noteMark() {
        return mark(end(end(TEXTS)));
    }

    private long mark(int position) {
        return TextMark.of(row.array(), position + LENGTH_BYTES, row.getShort(position));
    }

    private int end(int position) {
        return position + LENGTH_BYTES + row.getShort(position);
    }

    private static void put(ByteBuffer bytes, byte[] text) {
        bytes.putShort((short) text.length).put(text);
    }
}
