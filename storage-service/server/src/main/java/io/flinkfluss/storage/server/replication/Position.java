package io.flinkfluss.storage.server.replication;

/** A place in a group's replicated log: the entry's index and the term in which it was written. */
public record Position(long term, long index) implements Comparable<Position> {
    /** Before the first entry. */
    public static final Position NONE = new Position(0, -1);

    public boolean isPresent() {
        return index >= 0;
    }

    @Override
    public int compareTo(Position other) {
        return index != other.index
                ? Long.compare(index, other.index)
                : Long.compare(term, other.term);
    }
}
