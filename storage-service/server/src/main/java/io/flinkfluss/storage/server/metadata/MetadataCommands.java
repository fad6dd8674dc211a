package io.flinkfluss.storage.server.metadata;

import io.flinkfluss.storage.api.TableAdmin.DropMode;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.wire.MetadataCodec;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.replication.CommandCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Bytes of an entry of the metadata group: version, count, then per command a tag and fields. */
public final class MetadataCommands implements CommandCodec<MetadataCommand, MetadataAnswer> {
    /** The version of an entry is the format level of what is in it. */
    static final Format ENTRY =
            new Format("metadata entry", 1, FormatLevel.RETENTION.number(), "replicated-log.md");

    static final Format ANSWER = Format.first("metadata answer", "replicated-log.md");
    private static final int CREATE_DATABASE = 1;
    private static final int DROP_DATABASE = 2;
    private static final int CREATE_TABLE = 3;
    private static final int DROP_TABLE = 4;
    private static final int TAKE_NUMBERS = 5;
    private static final int REGISTER_TIERING = 6;
    private static final int SET_DRAINING = 7;
    private static final int ANNOUNCE_LEVEL = 8;
    private static final int RAISE_LEVEL = 9;

    private static final int DONE = 0;
    private static final int CREATED = 1;
    private static final int DROPPED = 2;
    private static final int NUMBERS = 3;
    private static final int REFUSED = 4;

    /** The level that the cluster must have before the command may be written. */
    public static FormatLevel needs(MetadataCommand command) {
        return command instanceof MetadataCommand.SetDraining
                ? FormatLevel.RETENTION
                : FormatLevel.FIRST;
    }

    /** Commands about levels are what a level rises by: they need none but are newer than 1. */
    private static int version(MetadataCommand command) {
        return command instanceof MetadataCommand.AnnounceLevel
                        || command instanceof MetadataCommand.RaiseLevel
                ? FormatLevel.RETENTION.number()
                : needs(command).number();
    }

    @Override
    public ByteBuffer encode(List<MetadataCommand> commands) {
        WireOutput output = new WireOutput();
        int version = commands.stream().mapToInt(MetadataCommands::version).max().orElse(1);
        output.writeByte(version).writeVarint(commands.size());
        commands.forEach(command -> write(output, command));
        return output.toByteBuffer();
    }

    @Override
    public List<MetadataAnswer> decode(byte[] bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(ANSWER);
        int count = input.readCount();
        List<MetadataAnswer> answers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            answers.add(readAnswer(input));
        }
        return answers;
    }

    static List<MetadataCommand> decodeCommands(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(ENTRY);
        int count = input.readCount();
        List<MetadataCommand> commands = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            commands.add(readCommand(input));
        }
        return commands;
    }

    static byte[] encodeAnswers(List<MetadataAnswer> answers) {
        WireOutput output = new WireOutput();
        output.writeVersion(ANSWER).writeVarint(answers.size());
        answers.forEach(answer -> write(output, answer));
        return output.toByteArray();
    }

    private static void write(WireOutput output, MetadataCommand command) {
        if (command instanceof MetadataCommand.CreateDatabase create) {
            output.writeByte(CREATE_DATABASE)
                    .writeString(create.name())
                    .writeString(create.comment())
                    .writeStrings(create.properties());
        } else if (command instanceof MetadataCommand.DropDatabase drop) {
            output.writeByte(DROP_DATABASE)
                    .writeString(drop.name())
                    .writeBoolean(drop.mode() == DropMode.CASCADE);
        } else if (command instanceof MetadataCommand.CreateTable create) {
            output.writeByte(CREATE_TABLE);
            MetadataCodec.writeTablePath(output, create.path());
            MetadataCodec.writeTableDescriptor(output, create.descriptor());
        } else if (command instanceof MetadataCommand.DropTable drop) {
            output.writeByte(DROP_TABLE);
            MetadataCodec.writeTablePath(output, drop.path());
        } else if (command instanceof MetadataCommand.TakeNumbers take) {
            output.writeByte(TAKE_NUMBERS).writeVarint(take.count());
        } else if (command instanceof MetadataCommand.RegisterTiering register) {
            output.writeByte(REGISTER_TIERING);
            MetadataCodec.writeLakeTiering(output, register.tiering());
        } else if (command instanceof MetadataCommand.SetDraining set) {
            output.writeByte(SET_DRAINING).writeString(set.node()).writeBoolean(set.draining());
        } else if (command instanceof MetadataCommand.AnnounceLevel announce) {
            output.writeByte(ANNOUNCE_LEVEL)
                    .writeString(announce.node())
                    .writeVarint(announce.newest());
        } else if (command instanceof MetadataCommand.RaiseLevel raise) {
            output.writeByte(RAISE_LEVEL).writeVarint(raise.level());
        }
    }

    private static MetadataCommand readCommand(WireInput input) {
        int tag = input.readByte();
        return switch (tag) {
            case CREATE_DATABASE ->
                    new MetadataCommand.CreateDatabase(
                            input.readString(), input.readString(), input.readStringMap());
            case DROP_DATABASE ->
                    new MetadataCommand.DropDatabase(
                            input.readString(),
                            input.readBoolean() ? DropMode.CASCADE : DropMode.RESTRICT);
            case CREATE_TABLE ->
                    new MetadataCommand.CreateTable(
                            MetadataCodec.readTablePath(input),
                            MetadataCodec.readTableDescriptor(input));
            case DROP_TABLE -> new MetadataCommand.DropTable(MetadataCodec.readTablePath(input));
            case TAKE_NUMBERS -> new MetadataCommand.TakeNumbers(input.readVarintAsInt());
            case REGISTER_TIERING ->
                    new MetadataCommand.RegisterTiering(MetadataCodec.readLakeTiering(input));
            case SET_DRAINING ->
                    new MetadataCommand.SetDraining(input.readString(), input.readBoolean());
            case ANNOUNCE_LEVEL ->
                    new MetadataCommand.AnnounceLevel(input.readString(), input.readVarintAsInt());
            case RAISE_LEVEL -> new MetadataCommand.RaiseLevel(input.readVarintAsInt());
            default -> throw input.corrupt("the unknown metadata command " + tag);
        };
    }

    private static void write(WireOutput output, MetadataAnswer answer) {
        if (answer instanceof MetadataAnswer.Created created) {
            output.writeByte(CREATED);
            MetadataCodec.writeTableInfo(output, created.table());
        } else if (answer instanceof MetadataAnswer.Dropped dropped) {
            output.writeByte(DROPPED).writeVarint(dropped.tables().size());
            dropped.tables().forEach(table -> output.writeVarint(table.value()));
        } else if (answer instanceof MetadataAnswer.Numbers numbers) {
            output.writeByte(NUMBERS).writeVarint(numbers.first());
        } else if (answer instanceof MetadataAnswer.Refused refused) {
            output.writeByte(REFUSED)
                    .writeVarint(refused.code().number())
                    .writeString(refused.message());
        } else {
            output.writeByte(DONE);
        }
    }

    private static MetadataAnswer readAnswer(WireInput input) {
        int tag = input.readByte();
        return switch (tag) {
            case DONE -> new MetadataAnswer.Done();
            case CREATED -> new MetadataAnswer.Created(MetadataCodec.readTableInfo(input));
            case DROPPED -> new MetadataAnswer.Dropped(readTables(input));
            case NUMBERS -> new MetadataAnswer.Numbers(input.readVarint());
            case REFUSED ->
                    new MetadataAnswer.Refused(
                            ErrorCode.of(input.readVarintAsInt()), input.readString());
            default -> throw input.corrupt("the unknown metadata answer " + tag);
        };
    }

    private static List<TableId> readTables(WireInput input) {
        int count = input.readCount();
        List<TableId> tables = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tables.add(new TableId(input.readVarint()));
        }
        return tables;
    }
}
