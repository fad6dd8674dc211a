package io.flinkfluss.flink.source.enumerator;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.SplitForms;
import io.flinkfluss.flink.state.StateForms;
import io.flinkfluss.flink.state.StateSerializer;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The checkpointed form of {@link EnumeratorState}. */
public final class EnumeratorForms {
    private static final int ENUMERATOR_STATE = 34;

    public static StateSerializer<EnumeratorState> serializer() {
        return StateSerializer.named("source enumerator", EnumeratorState.class)
                .version(
                        1,
                        types -> {
                            SplitForms.v1(types);
                            types.add(
                                    ENUMERATOR_STATE,
                                    EnumeratorState.class,
                                    EnumeratorForms::write,
                                    EnumeratorForms::read);
                        })
                .build();
    }

    private static void write(Kryo kryo, Output output, EnumeratorState state) {
        output.writeVarLong(state.table().value(), true);
        output.writeVarInt(state.waiting().size(), true);
        state.waiting().forEach(split -> kryo.writeClassAndObject(output, split));
        output.writeVarLong(state.snapshotId(), false);
        output.writeVarInt(state.readingState().size(), true);
        state.readingState().forEach(bucket -> StateForms.writeBucket(output, bucket));
    }

    private static EnumeratorState read(Kryo kryo, Input input) {
        TableId table = new TableId(input.readVarLong(true));
        List<FlussSplit> waiting = new ArrayList<>();
        for (int left = input.readVarInt(true); left > 0; left--) {
            waiting.add((FlussSplit) kryo.readClassAndObject(input));
        }
        long snapshotId = input.readVarLong(false);
        Set<BucketId> readingState = new TreeSet<>();
        for (int left = input.readVarInt(true); left > 0; left--) {
            readingState.add(StateForms.readBucket(input));
        }
        return new EnumeratorState(table, waiting, snapshotId, readingState);
    }

    private EnumeratorForms() {}
}
