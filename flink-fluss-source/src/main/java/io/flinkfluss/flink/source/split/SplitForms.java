package io.flinkfluss.flink.source.split;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.flinkfluss.flink.state.StateForms;
import io.flinkfluss.flink.state.StateSerializer;
import io.flinkfluss.flink.state.StateTypes;
import io.flinkfluss.storage.api.record.ScanRequest;

/**
 * The checkpointed form of splits; states that contain splits register them through {@link #v1}.
 */
public final class SplitForms {
    private static final int LOG_SPLIT = 32;
    private static final int KV_SPLIT = 33;

    /** A serializer of single splits. */
    public static StateSerializer<FlussSplit> serializer() {
        return StateSerializer.named("source split", FlussSplit.class)
                .version(1, SplitForms::v1)
                .build();
    }

    /** Version 1 of both kinds of split; takes the type numbers 32 and 33. */
    public static void v1(StateTypes types) {
        types.add(
                        LOG_SPLIT,
                        LogSplit.class,
                        (kryo, output, split) -> writeLog(output, split),
                        (kryo, input) -> readLog(input))
                .add(
                        KV_SPLIT,
                        KvSplit.class,
                        (kryo, output, split) -> writeKv(output, split),
                        (kryo, input) -> readKv(input));
    }

    private static void writeLog(Output output, LogSplit split) {
        StateForms.writeBucket(output, split.bucket());
        output.writeVarLong(split.startOffset(), true);
        writeStop(output, split.stopOffset());
    }

    private static LogSplit readLog(Input input) {
        return new LogSplit(StateForms.readBucket(input), input.readVarLong(true), readStop(input));
    }

    private static void writeKv(Output output, KvSplit split) {
        StateForms.writeBucket(output, split.bucket());
        output.writeVarLong(split.snapshotId(), true);
        StateForms.writeBytes(output, split.afterKey());
        output.writeVarLong(split.rowsToSkip(), true);
        output.writeVarLong(split.logOffset(), true);
        writeStop(output, split.stopOffset());
    }

    private static KvSplit readKv(Input input) {
        return new KvSplit(
                StateForms.readBucket(input),
                input.readVarLong(true),
                StateForms.readBytes(input),
                input.readVarLong(true),
                input.readVarLong(true),
                readStop(input));
    }

    /** 0 for no end, else the offset plus one. */
    private static void writeStop(Output output, long stop) {
        output.writeVarLong(stop == ScanRequest.UNBOUNDED ? 0 : stop + 1, true);
    }

    private static long readStop(Input input) {
        long stored = input.readVarLong(true);
        return stored == 0 ? ScanRequest.UNBOUNDED : stored - 1;
    }

    private SplitForms() {}
}
