package io.flinkfluss.storage.server.level;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cluster's level and what each node announced; part of the metadata. One thread changes it;
 * any thread reads.
 */
public final class ClusterLevel {
    /** Guards the fields below. */
    private final Object lock = new Object();

    private final Map<String, Integer> announced = new TreeMap<>();
    private FormatLevel level = FormatLevel.FIRST;

    public FormatLevel level() {
        synchronized (lock) {
            return level;
        }
    }

    /** What the node announced last; 0 before it did. */
    public int announced(String node) {
        synchronized (lock) {
            return announced.getOrDefault(node, 0);
        }
    }

    public void announce(String node, int newest) {
        synchronized (lock) {
            announced.put(node, newest);
        }
    }

    /**
     * A level that is not above the cluster's changes nothing.
     *
     * @throws StorageException INCOMPATIBLE_VERSION when this process does not read it
     */
    public void raise(int number) {
        synchronized (lock) {
            if (number > level.number()) {
                level = FormatLevel.readable("the cluster", number);
            }
        }
    }

    /** The newest level that all of these nodes read, as far as they said. */
    public int readByAll(Collection<String> nodes) {
        synchronized (lock) {
            return nodes.stream().mapToInt(node -> announced.getOrDefault(node, 1)).min().orElse(1);
        }
    }

    /**
     * @param what needs the level, for the message
     * @throws StorageException NOT_READY when the cluster has not reached it
     */
    public void require(FormatLevel needed, String what) {
        synchronized (lock) {
            if (!level.includes(needed)) {
                throw new StorageException(
                        ErrorCode.NOT_READY,
                        what
                                + " needs format level "
                                + needed.number()
                                + ", the cluster has level "
                                + level.number()
                                + "; the nodes read up to "
                                + announced
                                + ". Try again when release "
                                + needed.release()
                                + " or a newer one runs on every node");
            }
        }
    }

    public void write(WireOutput output) {
        synchronized (lock) {
            output.writeVarint(level.number()).writeVarint(announced.size());
            announced.forEach((node, newest) -> output.writeString(node).writeVarint(newest));
        }
    }

    /**
     * Takes the place of what was known.
     *
     * @throws StorageException INCOMPATIBLE_VERSION when this process does not read the level
     */
    public void read(WireInput input) {
        synchronized (lock) {
            level = FormatLevel.readable("the cluster", input.readVarintAsInt());
            announced.clear();
            for (int left = input.readCount(); left > 0; left--) {
                String node = input.readString();
                announced.put(node, input.readVarintAsInt());
            }
        }
    }
}
