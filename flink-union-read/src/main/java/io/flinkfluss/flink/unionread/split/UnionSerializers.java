package io.flinkfluss.flink.unionread.split;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.flinkfluss.flink.state.StateForms;
import io.flinkfluss.flink.state.StateSerializer;
import io.flinkfluss.flink.state.StateTypes;
import io.flinkfluss.lake.LakeSplit;
import java.util.ArrayList;
import java.util.List;

/** The stored forms of union splits and of the enumerator's state (docs/formats/flink-state.md). */
public final class UnionSerializers {
    private UnionSerializers() {}

    public static StateSerializer<UnionSplit> splits() {
        return StateSerializer.named("union split", UnionSplit.class)
                .version(1, types -> addSplit(types))
                .build();
    }

    public static StateSerializer<PlannedSplits> planned() {
        return StateSerializer.named("union plan", PlannedSplits.class)
                .version(
                        1,
                        types ->
                                addSplit(types)
                                        .add(
                                                17,
                                                PlannedSplits.class,
                                                UnionSerializers::writePlan,
                                                UnionSerializers::readPlan))
                .build();
    }

    private static StateTypes addSplit(StateTypes types) {
        return types.add(
                16, UnionSplit.class, UnionSerializers::writeSplit, UnionSerializers::readSplit);
    }

    private static void writePlan(Kryo kryo, Output output, PlannedSplits plan) {
        output.writeBoolean(plan.planned());
        output.writeVarInt(plan.waiting().size(), true);
        plan.waiting().forEach(split -> kryo.writeClassAndObject(output, split));
    }

    private static PlannedSplits readPlan(Kryo kryo, Input input) {
        boolean planned = input.readBoolean();
        int count = input.readVarInt(true);
        List<UnionSplit> waiting = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waiting.add((UnionSplit) kryo.readClassAndObject(input));
        }
        return new PlannedSplits(planned, waiting);
    }

    private static void writeSplit(Kryo kryo, Output output, UnionSplit split) {
        output.writeString(split.splitId());
        output.writeVarInt(split.reading().number(), true);
        output.writeVarInt(split.lake().size(), true);
        for (LakeSplit lake : split.lake()) {
            output.writeVarInt(lake.bucket() + 1, true);
            StateForms.writeBytes(output, lake.payload());
            output.writeVarLong(lake.rows(), true);
            output.writeVarLong(lake.bytes(), true);
        }
        output.writeVarInt(split.log().size(), true);
        for (LogRange range : split.log()) {
            StateForms.writeBucket(output, range.bucket());
            output.writeVarLong(range.start(), true);
            output.writeVarLong(range.end(), true);
        }
        output.writeVarLong(split.skip(), true);
    }

    private static UnionSplit readSplit(Kryo kryo, Input input) {
        String splitId = input.readString();
        Reading reading = Reading.of(input.readVarInt(true));
        int lakeCount = input.readVarInt(true);
        List<LakeSplit> lake = new ArrayList<>();
        for (int i = 0; i < lakeCount; i++) {
            lake.add(
                    new LakeSplit(
                            input.readVarInt(true) - 1,
                            StateForms.readBytes(input),
                            input.readVarLong(true),
                            input.readVarLong(true)));
        }
        int logCount = input.readVarInt(true);
        List<LogRange> log = new ArrayList<>();
        for (int i = 0; i < logCount; i++) {
            log.add(
                    new LogRange(
                            StateForms.readBucket(input),
                            input.readVarLong(true),
                            input.readVarLong(true)));
        }
        return new UnionSplit(splitId, reading, lake, log, input.readVarLong(true));
    }
}
