package io.flinkfluss.benchmarks.rows;

/**
 * A row as it is given to a system's client: texts as UTF-8 bytes, which nobody changes, since many
 * rows share them.
 */
public record OrderRow(
        long orderId,
        long customerId,
        byte[] item,
        double price,
        int quantity,
        byte[] status,
        long timeMillis,
        byte[] note)
        implements OrderView {
    /** The same order by another customer. */
    public OrderRow ofCustomer(long otherCustomerId) {
        return new OrderRow(
                orderId, otherCustomerId, item, price, quantity, status, timeMillis, note);
    }

    /** Bytes of the row's fields without any framing. */
    public int sizeInBytes() {
        return 36 + item.length + status.length + note.length;
    }

    @Override
    public long itemMark() {
        return TextMark.of(item);
    }

    @Override
    public long statusMark() {
        return TextMark.of(status);
    }

    @Override
    public long noteMark() {
        return TextMark.of(note);
    }
}
