package io.flinkfluss.flink.state;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/**
 * The types that one version of a state consists of, each with a fixed number and its own reader
 * and writer. Nothing is ever registered implicitly: a type that is missing fails the write.
 */
public final class StateTypes {
    private static final int LOWEST = 16;

    private final Kryo kryo = new Kryo();

    StateTypes() {
        kryo.setRegistrationRequired(true);
        kryo.setReferences(false);
        kryo.setAutoReset(true);
    }

    /**
     * Adds a type.
     *
     * @param number from 16; stored, so it never changes and is never reused within a state
     */
    public <T> StateTypes add(int number, Class<T> type, Writer<T> writer, Reader<T> reader) {
        if (number < LOWEST || kryo.getRegistration(number) != null) {
            throw new IllegalArgumentException(
                    "type number "
                            + number
                            + " for "
                            + type.getName()
                            + " must be "
                            + LOWEST
                            + " or more and unused");
        }
        kryo.register(type, new Form<>(writer, reader), number);
        return this;
    }

    byte[] write(int version, Object value) {
        Output output = new Output(256, -1);
        output.writeVarInt(version, true);
        kryo.writeClassAndObject(output, value);
        return output.toBytes();
    }

    Object read(Input input) {
        return kryo.readClassAndObject(input);
    }

    /** Writes a value's fields; nested registered values by {@link Kryo#writeClassAndObject}. */
    @FunctionalInterface
    public interface Writer<T> {
        void write(Kryo kryo, Output output, T value);
    }

    /** Reads what the writer of the same version wrote. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(Kryo kryo, Input input);
    }

    private static final class Form<T> extends Serializer<T> {
        private final Writer<T> writer;
        private final Reader<T> reader;

        Form(Writer<T> writer, Reader<T> reader) {
            super(false, true);
            this.writer = writer;
            this.reader = reader;
        }

        @Override
        public void write(Kryo kryo, Output output, T value) {
            writer.write(kryo, output, value);
        }

        @Override
        public T read(Kryo kryo, Input input, Class<? extends T> type) {
            return reader.read(kryo, input);
        }
    }
}
