package io.flinkfluss.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TablePath;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StateSerializerTest {
    record Mark(String name, long offset) {}

    private static final StateSerializer<Mark> ONE =
            StateSerializer.named("mark", Mark.class)
                    .version(1, StateSerializerTest::version1)
                    .build();

    private static final StateSerializer<Mark> TWO =
            StateSerializer.named("mark", Mark.class)
                    .version(1, StateSerializerTest::version1)
                    .version(
                            2,
                            types ->
                                    types.add(
                                            20,
                                            Mark.class,
                                            (kryo, output, mark) -> {
                                                output.writeVarLong(mark.offset(), true);
                                                output.writeString(mark.name());
                                            },
                                            (kryo, input) -> {
                                                long offset = input.readVarLong(true);
                                                return new Mark(input.readString(), offset);
                                            }))
                    .build();

    private static void version1(StateTypes types) {
        types.add(
                20,
                Mark.class,
                (kryo, output, mark) -> output.writeString(mark.name()),
                (kryo, input) -> new Mark(input.readString(), 0));
    }

    @Test
    void theNewestVersionIsWrittenAndEveryVersionIsRead() throws IOException {
        byte[] old = ONE.serialize(new Mark("a", 5));
        assertThat(TWO.getVersion()).isEqualTo(2);
        assertThat(TWO.deserialize(1, old)).isEqualTo(new Mark("a", 0));
        byte[] current = TWO.serialize(new Mark("a", 5));
        assertThat(current[0]).isEqualTo((byte) 2);
        assertThat(TWO.deserialize(2, current)).isEqualTo(new Mark("a", 5));
    }

    @Test
    void aNewerVersionIsRefusedByNumber() {
        byte[] current = TWO.serialize(new Mark("a", 5));
        assertThatThrownBy(() -> ONE.deserialize(2, current))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("mark has version 2")
                .hasMessageContaining("reads [1]");
    }

    @Test
    void damagedBytesAreRefused() {
        byte[] good = TWO.serialize(new Mark("a name", 5));
        byte[] cut = Arrays.copyOf(good, good.length - 2);
        byte[] longer = Arrays.copyOf(good, good.length + 1);
        byte[] otherType = good.clone();
        otherType[1] = 99;
        for (byte[] bad : new byte[][] {cut, longer, otherType, {}}) {
            assertThatThrownBy(() -> TWO.deserialize(2, bad))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("mark")
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void aTypeThatIsNotRegisteredCannotBeWritten() {
        StateSerializer<Object> serializer =
                StateSerializer.named("anything", Object.class)
                        .version(1, StateSerializerTest::version1)
                        .build();
        assertThatThrownBy(() -> serializer.serialize(new java.util.concurrent.Semaphore(1)))
                .hasMessageContaining("Class is not registered");
    }

    @Test
    void numbersAreGivenOnce() {
        assertThatThrownBy(
                        () ->
                                StateSerializer.named("mark", Mark.class)
                                        .version(
                                                1,
                                                types -> {
                                                    version1(types);
                                                    version1(types);
                                                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("20");
    }

    @Test
    void sharedFormsComeBack() {
        BucketId bucket = new BucketId(new TableId(7), 3, 2);
        Map<BucketId, Long> offsets = Map.of(bucket, 11L, BucketId.of(new TableId(7), 0), 0L);
        Output output = new Output(16, -1);
        StateForms.writeBucket(output, bucket);
        StateForms.writeOffsets(output, offsets);
        StateForms.writeBytes(output, new byte[] {1, 2});
        StateForms.writePath(output, new TablePath("d", "t"));
        Input input = new Input(output.toBytes());
        assertThat(StateForms.readBucket(input)).isEqualTo(bucket);
        assertThat(StateForms.readOffsets(input)).isEqualTo(offsets);
        assertThat(StateForms.readBytes(input)).containsExactly(1, 2);
        assertThat(StateForms.readPath(input)).isEqualTo(new TablePath("d", "t"));
    }
}
