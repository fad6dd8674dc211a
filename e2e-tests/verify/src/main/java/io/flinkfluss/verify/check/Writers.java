package io.flinkfluss.verify.check;

import java.util.ArrayList;
import java.util.List;

/** Every writer that ever was. Any thread may use it. */
public final class Writers {
    private final List<WriterHistory> writers = new ArrayList<>();

    public synchronized WriterHistory register(String name) {
        WriterHistory writer = new WriterHistory(writers.size() + 1, name);
        writers.add(writer);
        return writer;
    }

    /** The writer with this number, null when there never was one. */
    synchronized WriterHistory find(int id) {
        return id < 1 || id > writers.size() ? null : writers.get(id - 1);
    }

    public long acknowledgedRows() {
        return all().stream().mapToLong(WriterHistory::acknowledgedCount).sum();
    }

    /** Call it when every bucket was read to its end. */
    public void reportLost(Findings findings) {
        all().forEach(writer -> writer.reportLost(findings));
    }

    private synchronized List<WriterHistory> all() {
        return List.copyOf(writers);
    }
}
