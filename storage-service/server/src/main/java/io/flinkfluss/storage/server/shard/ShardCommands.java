package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.wire.MetadataCodec;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.log.StatisticsBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Bytes of one entry of a shard's log: version, count, then per command a tag and its fields. */
public final class ShardCommands {
    /** The version of an entry is the format level of what is in it. */
    static final Format ENTRY =
            new Format("shard entry", 1, FormatLevel.RETENTION.number(), "replicated-log.md");

    private static final int OPEN_TABLE = 1;
    private static final int DROP_TABLE = 2;
    private static final int APPEND = 3;
    private static final int PUT = 4;
    private static final int TAKE_SNAPSHOT = 5;
    private static final int RELEASE_SNAPSHOT = 6;
    private static final int ROLL_LOG = 7;
    private static final int TRIM_LOG = 8;
    private static final int ADD_REMOTE_SEGMENT = 9;

    /** More than the fields of a command take beside its payload. */
    private static final int FIELDS = 64;

    private ShardCommands() {}

    /** About how many bytes the command takes in an entry; never much less than it does. */
    public static int sizeInBytes(ShardCommand command) {
        if (command instanceof ShardCommand.Append append) {
            int statistics = append.batch().statistics().size() * FIELDS;
            return FIELDS + statistics + append.batch().sizeInBytes();
        }
        if (command instanceof ShardCommand.Put put) {
            return FIELDS + put.batch().entries().remaining();
        }
        if (command instanceof ShardCommand.AddRemoteSegment add) {
            return 2 * FIELDS + add.segment().name().length();
        }
        return command instanceof ShardCommand.OpenTable ? 16 * FIELDS : FIELDS;
    }

    /** The level that the cluster must have before the command may be written. */
    public static FormatLevel needs(ShardCommand command) {
        return command instanceof ShardCommand.RollLog
                        || command instanceof ShardCommand.TrimLog
                        || command instanceof ShardCommand.AddRemoteSegment
                ? FormatLevel.RETENTION
                : FormatLevel.FIRST;
    }

    public static ByteBuffer encode(List<ShardCommand> commands) {
        int size = FIELDS;
        for (ShardCommand command : commands) {
            size += sizeInBytes(command);
        }
        WireOutput output = new WireOutput(size);
        int level = commands.stream().mapToInt(each -> needs(each).number()).max().orElse(1);
        output.writeByte(level).writeVarint(commands.size());
        for (ShardCommand command : commands) {
            write(output, command);
        }
        return output.toByteBuffer();
    }

    /** The payloads of the commands are slices of these bytes. */
    public static List<ShardCommand> decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        FormatLevel.readable("an entry of a shard", input.readVersion(ENTRY));
        int count = input.readCount();
        List<ShardCommand> commands = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            commands.add(read(input));
        }
        return commands;
    }

    private static void write(WireOutput output, ShardCommand command) {
        if (command instanceof ShardCommand.Append append) {
            ArrowBatch batch = append.batch();
            output.writeByte(APPEND);
            writeTarget(output, append.bucket(), append.stamp());
            output.writeVarint(batch.schemaId()).writeVarint(batch.rowCount());
            StatisticsBlock.write(output, batch.statistics());
            output.writeBytes(batch.metadata()).writeBytes(batch.body());
        } else if (command instanceof ShardCommand.Put put) {
            output.writeByte(PUT);
            writeTarget(output, put.bucket(), put.stamp());
            output.writeVarint(put.batch().schemaId()).writeVarint(put.batch().count());
            output.writeBytes(put.batch().entries());
        } else if (command instanceof ShardCommand.OpenTable open) {
            output.writeByte(OPEN_TABLE);
            MetadataCodec.writeTableInfo(output, open.table());
        } else if (command instanceof ShardCommand.DropTable drop) {
            output.writeByte(DROP_TABLE).writeVarint(drop.table().value());
        } else if (command instanceof ShardCommand.TakeSnapshot take) {
            output.writeByte(TAKE_SNAPSHOT).writeVarint(take.table().value());
            output.writeLong(take.snapshotId());
        } else if (command instanceof ShardCommand.ReleaseSnapshot release) {
            output.writeByte(RELEASE_SNAPSHOT).writeLong(release.snapshotId());
        } else if (command instanceof ShardCommand.RollLog roll) {
            output.writeByte(ROLL_LOG);
            MetadataCodec.writeBucketId(output, roll.bucket());
            output.writeVarint(roll.endOffset());
        } else if (command instanceof ShardCommand.TrimLog trim) {
            output.writeByte(TRIM_LOG);
            MetadataCodec.writeBucketId(output, trim.bucket());
            output.writeVarint(trim.startOffset()).writeVarint(trim.localStart());
        } else if (command instanceof ShardCommand.AddRemoteSegment add) {
            output.writeByte(ADD_REMOTE_SEGMENT);
            MetadataCodec.writeBucketId(output, add.bucket());
            LogEnds.write(output, add.segment());
        }
    }

    private static ShardCommand read(WireInput input) {
        int tag = input.readByte();
        return switch (tag) {
            case OPEN_TABLE -> new ShardCommand.OpenTable(MetadataCodec.readTableInfo(input));
            case DROP_TABLE -> new ShardCommand.DropTable(new TableId(input.readVarint()));
            case APPEND -> {
                BucketId bucket = MetadataCodec.readBucketId(input);
                WriterStamp stamp = readStamp(input);
                yield new ShardCommand.Append(bucket, stamp, readArrowBatch(input));
            }
            case PUT -> {
                BucketId bucket = MetadataCodec.readBucketId(input);
                WriterStamp stamp = readStamp(input);
                yield new ShardCommand.Put(bucket, stamp, readKvBatch(input));
            }
            case TAKE_SNAPSHOT ->
                    new ShardCommand.TakeSnapshot(
                            new TableId(input.readVarint()), input.readLong());
            case RELEASE_SNAPSHOT -> new ShardCommand.ReleaseSnapshot(input.readLong());
            case ROLL_LOG ->
                    new ShardCommand.RollLog(MetadataCodec.readBucketId(input), input.readVarint());
            case TRIM_LOG ->
                    new ShardCommand.TrimLog(
                            MetadataCodec.readBucketId(input),
                            input.readVarint(),
                            input.readVarint());
            case ADD_REMOTE_SEGMENT ->
                    new ShardCommand.AddRemoteSegment(
                            MetadataCodec.readBucketId(input), LogEnds.readSegment(input));
            default -> throw input.corrupt("the unknown command tag " + tag);
        };
    }

    private static ArrowBatch readArrowBatch(WireInput input) {
        int schemaId = input.readVarintAsInt();
        int rowCount = input.readVarintAsInt();
        List<ColumnStatistics> statistics = StatisticsBlock.read(input);
        ByteBuffer metadata = input.readSlice();
        ByteBuffer body = input.readSlice();
        if (rowCount < 1) {
            throw input.corrupt("a batch of " + rowCount + " rows");
        }
        return new ArrowBatch(schemaId, rowCount, metadata, body, statistics);
    }

    private static KvBatch readKvBatch(WireInput input) {
        int schemaId = input.readVarintAsInt();
        int count = input.readVarintAsInt();
        ByteBuffer entries = input.readSlice();
        if (count < 1) {
            throw input.corrupt("a batch of " + count + " entries");
        }
        return new KvBatch(schemaId, count, entries);
    }

    private static void writeTarget(WireOutput output, BucketId bucket, WriterStamp stamp) {
        MetadataCodec.writeBucketId(output, bucket);
        output.writeZigzag(stamp.writerId()).writeZigzag(stamp.sequence());
    }

    private static WriterStamp readStamp(WireInput input) {
        return new WriterStamp(input.readZigzag(), (int) input.readZigzag());
    }
}
