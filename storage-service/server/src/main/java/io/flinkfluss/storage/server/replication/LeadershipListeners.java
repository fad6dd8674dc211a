package io.flinkfluss.storage.server.replication;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who wants to know when the leader of a group changes. May be used by any thread. */
public final class LeadershipListeners {
    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    Registration add(Runnable listener) {
        Entry entry = new Entry(listener);
        entries.add(entry);
        return () -> entries.remove(entry);
    }

    void tell() {
        entries.forEach(entry -> entry.listener.run());
    }

    /** Compared by identity: the same listener may be added twice. */
    private static final class Entry {
        private final Runnable listener;

        Entry(Runnable listener) {
            this.listener = listener;
        }
    }

    /** A listener that can be removed. */
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
