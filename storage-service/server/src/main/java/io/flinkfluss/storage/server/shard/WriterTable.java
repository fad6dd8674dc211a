package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.util.Map;
import java.util.TreeMap;

/**
 * The writers of one bucket: which of their batches are stored. A writer is forgotten 7 days after
 * its last batch, by the time in the entries, so all replicas agree.
 */
final class WriterTable {
    static final long IDLE_MILLIS = 7L * 24 * 60 * 60 * 1000;

    /** Offsets are remembered for this many of a writer's last batches; a power of two. */
    static final int REMEMBERED = 8;

    private final Map<Long, Writer> writers = new TreeMap<>();

    /** What to do with a batch. */
    enum Verdict {
        STORE,
        DUPLICATE,
        MISSING_EARLIER,
        UNKNOWN_WRITER
    }

    private static final class Writer {
        private int lastSequence;
        private long lastMillis;
        private final long[] offsets = new long[REMEMBERED];
    }

    Verdict judge(WriterStamp stamp, long nowMillis) {
        Writer writer = find(stamp.writerId(), nowMillis);
        if (writer == null) {
            return stamp.sequence() == 0 ? Verdict.STORE : Verdict.UNKNOWN_WRITER;
        }
        if (stamp.sequence() <= writer.lastSequence) {
            return Verdict.DUPLICATE;
        }
        return stamp.sequence() == writer.lastSequence + 1
                ? Verdict.STORE
                : Verdict.MISSING_EARLIER;
    }

    private Writer find(long writerId, long nowMillis) {
        Writer writer = writers.get(writerId);
        return writer == null || isForgotten(writer, nowMillis) ? null : writer;
    }

    private static boolean isForgotten(Writer writer, long nowMillis) {
        return writer.lastMillis + IDLE_MILLIS <= nowMillis;
    }

    /** The sequence that a known writer has to send next. */
    int expectedSequence(long writerId) {
        return writers.get(writerId).lastSequence + 1;
    }

    /** The first offset of a duplicate, -1 when it is too long ago. */
    long offsetOf(WriterStamp stamp) {
        Writer writer = writers.get(stamp.writerId());
        return stamp.sequence() > writer.lastSequence - REMEMBERED
                ? writer.offsets[stamp.sequence() & (REMEMBERED - 1)]
                : -1;
    }

    /** After {@link Verdict#STORE}. */
    void stored(WriterStamp stamp, long baseOffset, long nowMillis) {
        Writer writer = find(stamp.writerId(), nowMillis);
        if (writer == null) {
            writer = new Writer();
            writers.put(stamp.writerId(), writer);
        }
        writer.lastSequence = stamp.sequence();
        writer.lastMillis = nowMillis;
        writer.offsets[stamp.sequence() & (REMEMBERED - 1)] = baseOffset;
    }

    /** Frees the memory of forgotten writers; nobody can see the difference. */
    void removeForgotten(long nowMillis) {
        writers.values().removeIf(writer -> isForgotten(writer, nowMillis));
    }

    /** As it is now, whatever is stored later. */
    WriterTable copy() {
        WriterTable copy = new WriterTable();
        writers.forEach(
                (id, writer) -> {
                    Writer same = new Writer();
                    same.lastSequence = writer.lastSequence;
                    same.lastMillis = writer.lastMillis;
                    System.arraycopy(writer.offsets, 0, same.offsets, 0, REMEMBERED);
                    copy.writers.put(id, same);
                });
        return copy;
    }

    void write(WireOutput output) {
        output.writeVarint(writers.size());
        writers.forEach(
                (id, writer) -> {
                    output.writeVarint(id).writeVarint(writer.lastSequence);
                    output.writeZigzag(writer.lastMillis);
                    for (long offset : writer.offsets) {
                        output.writeVarint(offset);
                    }
                });
    }

    static WriterTable read(WireInput input) {
        WriterTable table = new WriterTable();
        int count = input.readCount();
        for (int i = 0; i < count; i++) {
            Writer writer = new Writer();
            table.writers.put(input.readVarint(), writer);
            writer.lastSequence = input.readVarintAsInt();
            writer.lastMillis = input.readZigzag();
            for (int j = 0; j < REMEMBERED; j++) {
                writer.offsets[j] = input.readVarint();
            }
        }
        return table;
    }
}
