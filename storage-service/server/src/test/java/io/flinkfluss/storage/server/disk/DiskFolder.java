package io.flinkfluss.storage.server.disk;

import java.util.Map;
import java.util.TreeMap;

/** Names and what they lead to. */
final class DiskFolder extends DiskNode {
    private final Map<String, DiskNode> entries = new TreeMap<>();

    Map<String, DiskNode> entries() {
        return entries;
    }

    @Override
    public boolean isDirectory() {
        return true;
    }

    @Override
    public long size() {
        return 0;
    }
}
