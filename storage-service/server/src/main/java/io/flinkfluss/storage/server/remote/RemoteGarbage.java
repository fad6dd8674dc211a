package io.flinkfluss.storage.server.remote;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Objects that the shard does not know: of uploads that were cut off or came second, of rows that
 * retention gave up, of dropped tables. They are deleted after they were unknown for some time, so
 * that readers of rows given up just now, and uploads about to be made known, are left alone. One
 * thread.
 */
final class RemoteGarbage {
    private final long graceMillis;

    /** When each was seen first. */
    private final Map<String, Long> unknown = new HashMap<>();

    RemoteGarbage(long graceMillis) {
        this.graceMillis = graceMillis;
    }

    /**
     * @param listed all objects there are
     * @param known those that are known, or just being written
     */
    void look(Collection<String> listed, Set<String> known, long nowMillis) {
        unknown.keySet().retainAll(Set.copyOf(listed));
        for (String object : listed) {
            if (!known.contains(object)) {
                unknown.putIfAbsent(object, nowMillis);
            }
        }
        unknown.keySet().removeAll(known);
    }

    /** Objects that were unknown for long enough. */
    List<String> due(long nowMillis) {
        List<String> due = new ArrayList<>();
        unknown.forEach(
                (object, since) -> {
                    if (nowMillis - since >= graceMillis) {
                        due.add(object);
                    }
                });
        return due;
    }

    void deleted(String object) {
        unknown.remove(object);
    }

    /** Begins anew: what was seen as another's leader does not count. */
    void clear() {
        unknown.clear();
    }
}
