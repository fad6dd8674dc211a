package io.flinkfluss.flink.state;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Writes and reads one kind of checkpointed state. The bytes begin with the version as a varint;
 * the newest version is written, every version that was ever released stays readable. Adding a
 * version is adding a {@link Builder#version} line with readers that make today's values from the
 * old form, and a stored sample to the test (docs/formats/flink-state.md).
 *
 * <p>Kryo is used for its bytes and its dispatch by number only: registration is required, so
 * nothing is written by reflection and nothing but the registered types can be read. Safe for use
 * by many threads.
 */
public final class StateSerializer<T> implements SimpleVersionedSerializer<T> {
    private final String name;
    private final Class<T> type;
    private final TreeMap<Integer, StateTypes> versions;

    private StateSerializer(String name, Class<T> type, TreeMap<Integer, StateTypes> versions) {
        this.name = name;
        this.type = type;
        this.versions = versions;
    }

    /**
     * @param name what the state is called in errors and in the format page
     * @param type what {@link #deserialize} gives
     */
    public static <T> Builder<T> named(String name, Class<T> type) {
        return new Builder<>(name, type);
    }

    @Override
    public int getVersion() {
        return versions.lastKey();
    }

    @Override
    public synchronized byte[] serialize(T value) {
        Map.Entry<Integer, StateTypes> newest = versions.lastEntry();
        return newest.getValue().write(newest.getKey(), value);
    }

    /**
     * @param flinkVersion what Flink stored beside the bytes; the number in the bytes decides
     * @throws IOException when the version is not readable here, or the bytes are damaged
     */
    @Override
    public synchronized T deserialize(int flinkVersion, byte[] bytes) throws IOException {
        try {
            Input input = new Input(bytes);
            int version = input.readVarInt(true);
            StateTypes types = versions.get(version);
            if (types == null) {
                throw new IOException(
                        "the checkpointed "
                                + name
                                + " has version "
                                + version
                                + "; this release reads "
                                + versions.keySet()
                                + ". Restore it with the release that wrote it or a newer one.");
            }
            T value = type.cast(types.read(input));
            if (!input.end()) {
                throw new IOException(
                        "the checkpointed " + name + " has bytes after its end: it is damaged");
            }
            return value;
        } catch (KryoException | ClassCastException | IllegalArgumentException e) {
            throw new IOException("the checkpointed " + name + " is damaged: " + e.getMessage(), e);
        }
    }

    /** Collects the versions of a state. */
    public static final class Builder<T> {
        private final String name;
        private final Class<T> type;
        private final TreeMap<Integer, StateTypes> versions = new TreeMap<>();

        private Builder(String name, Class<T> type) {
            this.name = name;
            this.type = type;
        }

        /** Adds a readable version; the highest is the one that is written. */
        public Builder<T> version(int number, Consumer<StateTypes> registrations) {
            StateTypes types = new StateTypes();
            registrations.accept(types);
            if (number < 1 || versions.put(number, types) != null) {
                throw new IllegalArgumentException(
                        "version " + number + " of " + name + " must be 1 or more and given once");
            }
            return this;
        }

        public StateSerializer<T> build() {
            if (versions.isEmpty()) {
                throw new IllegalStateException(name + " needs at least one version");
            }
            return new StateSerializer<>(name, type, versions);
        }
    }
}
