package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import io.flinkfluss.storage.server.log.LogEnd;
import io.flinkfluss.storage.server.log.RemoteSegment;
import java.util.ArrayList;
import java.util.List;

/** Bytes of what a checkpoint knows of a log, and of a remote segment in commands. */
final class LogEnds {
    private LogEnds() {}

    static void write(WireOutput output, LogEnd end) {
        output.writeVarint(end.startOffset())
                .writeVarint(end.endOffset())
                .writeZigzag(end.segmentBase())
                .writeVarint(end.segmentLength())
                .writeVarint(end.localStart())
                .writeVarint(end.remote().size());
        end.remote().forEach(segment -> write(output, segment));
    }

    static LogEnd read(WireInput input) {
        LogEnd local = readFirst(input);
        long localStart = input.readVarint();
        List<RemoteSegment> remote = new ArrayList<>();
        for (int left = input.readCount(); left > 0; left--) {
            remote.add(readSegment(input));
        }
        return new LogEnd(
                local.startOffset(),
                localStart,
                local.endOffset(),
                local.segmentBase(),
                local.segmentLength(),
                remote);
    }

    /** As the first version wrote it: everything is on the local disk. */
    static LogEnd readFirst(WireInput input) {
        long start = input.readVarint();
        return new LogEnd(
                start,
                start,
                input.readVarint(),
                input.readZigzag(),
                input.readVarint(),
                List.of());
    }

    static void write(WireOutput output, RemoteSegment segment) {
        output.writeString(segment.name())
                .writeVarint(segment.baseOffset())
                .writeVarint(segment.endOffset())
                .writeVarint(segment.length())
                .writeVarint(segment.indexLength())
                .writeInt(segment.checksum())
                .writeZigzag(segment.firstMillis())
                .writeZigzag(segment.lastMillis())
                .writeVarint(segment.schemaId());
    }

    static RemoteSegment readSegment(WireInput input) {
        return new RemoteSegment(
                input.readString(),
                input.readVarint(),
                input.readVarint(),
                input.readVarint(),
                input.readVarintAsInt(),
                input.readInt(),
                input.readZigzag(),
                input.readZigzag(),
                input.readVarintAsInt());
    }
}
