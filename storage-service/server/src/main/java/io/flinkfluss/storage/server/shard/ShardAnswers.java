package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.wire.MetadataCodec;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Bytes of the answers to one entry: version, count, then per answer a tag and its fields. */
public final class ShardAnswers {
    static final Format FORMAT = Format.first("shard answer", "replicated-log.md");
    private static final int DONE = 0;
    private static final int STORED = 1;
    private static final int FROZEN = 2;
    private static final int REFUSED = 3;

    private ShardAnswers() {}

    /** One answer per command of the entry, in order. */
    public static byte[] encode(List<ShardAnswer> answers) {
        WireOutput output = new WireOutput(16 + answers.size() * 8);
        output.writeVersion(FORMAT).writeVarint(answers.size());
        for (ShardAnswer answer : answers) {
            write(output, answer);
        }
        return output.toByteArray();
    }

    public static List<ShardAnswer> decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(FORMAT);
        int count = input.readCount();
        List<ShardAnswer> answers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            answers.add(read(input));
        }
        return answers;
    }

    private static void write(WireOutput output, ShardAnswer answer) {
        if (answer instanceof ShardAnswer.Stored stored) {
            output.writeByte(STORED)
                    .writeZigzag(stored.result().baseOffset())
                    .writeBoolean(stored.result().duplicate());
        } else if (answer instanceof ShardAnswer.Frozen frozen) {
            output.writeByte(FROZEN);
            MetadataCodec.writeOffsets(output, frozen.logOffsets());
            MetadataCodec.writeOffsets(output, frozen.rowCounts());
        } else if (answer instanceof ShardAnswer.Refused refused) {
            output.writeByte(REFUSED)
                    .writeVarint(refused.code().number())
                    .writeString(refused.message());
        } else {
            output.writeByte(DONE);
        }
    }

    private static ShardAnswer read(WireInput input) {
        int tag = input.readByte();
        return switch (tag) {
            case DONE -> new ShardAnswer.Done();
            case STORED ->
                    new ShardAnswer.Stored(
                            new AppendResult(input.readZigzag(), input.readBoolean()));
            case FROZEN ->
                    new ShardAnswer.Frozen(
                            MetadataCodec.readOffsets(input), MetadataCodec.readOffsets(input));
            case REFUSED ->
                    new ShardAnswer.Refused(
                            ErrorCode.of(input.readVarintAsInt()), input.readString());
            default -> throw input.corrupt("the unknown answer tag " + tag);
        };
    }
}
