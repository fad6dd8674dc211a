package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.MetadataCodec;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import io.flinkfluss.storage.server.kv.FrozenTable;
import io.flinkfluss.storage.server.log.LogEnd;
import io.flinkfluss.storage.server.replication.Position;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Everything about a shard at one position that is not in its logs or its key-value state
 * (docs/formats/checkpoint.md).
 *
 * @param lastMillis the largest time of an applied entry
 * @param bornMillis the time of the first entry ever applied
 * @param snapshots those that exist
 * @param files of the key-value state
 */
record Manifest(
        Position position,
        long lastMillis,
        long bornMillis,
        List<TableInfo> tables,
        Map<BucketId, Bucket> buckets,
        List<FrozenTable> snapshots,
        List<KvFile> files) {
    static final Format FORMAT = new Format("shard checkpoint", 1, 2, "checkpoint.md");

    /** The first version that knows of local starts and remote segments. */
    private static final int WITH_REMOTE = 2;

    record Bucket(LogEnd end, long rowCount, WriterTable writers) {}

    /**
     * @param checksum CRC32C, or -1 for a data file, whose blocks have checksums of their own
     */
    record KvFile(String name, long length, long checksum) {}

    Manifest withFiles(List<KvFile> described) {
        return new Manifest(
                position, lastMillis, bornMillis, tables, buckets, snapshots, described);
    }

    List<TableId> tableIds() {
        return tables.stream().map(TableInfo::id).toList();
    }

    Map<BucketId, LogEnd> logEnds() {
        Map<BucketId, LogEnd> ends = new TreeMap<>();
        buckets.forEach((id, bucket) -> ends.put(id, bucket.end()));
        return ends;
    }

    ByteBuffer encode() {
        WireOutput output = new WireOutput(1024);
        output.writeVersion(FORMAT).writeZigzag(position.term()).writeZigzag(position.index());
        output.writeZigzag(lastMillis).writeZigzag(bornMillis).writeVarint(tables.size());
        tables.forEach(table -> MetadataCodec.writeTableInfo(output, table));
        output.writeVarint(buckets.size());
        buckets.forEach(
                (id, bucket) -> {
                    MetadataCodec.writeBucketId(output, id);
                    LogEnds.write(output, bucket.end());
                    output.writeVarint(bucket.rowCount());
                    bucket.writers().write(output);
                });
        output.writeVarint(snapshots.size());
        for (FrozenTable snapshot : snapshots) {
            output.writeLong(snapshot.snapshotId()).writeVarint(snapshot.table().value());
            MetadataCodec.writeOffsets(output, snapshot.logOffsets());
            MetadataCodec.writeOffsets(output, snapshot.rowCounts());
            output.writeZigzag(snapshot.takenAtMillis());
        }
        output.writeVarint(files.size());
        for (KvFile file : files) {
            output.writeString(file.name()).writeVarint(file.length()).writeZigzag(file.checksum());
        }
        return output.toByteBuffer();
    }

    static Manifest decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        int version = input.readVersion(FORMAT);
        Position position = new Position(input.readZigzag(), input.readZigzag());
        long lastMillis = input.readZigzag();
        long bornMillis = version < WITH_REMOTE ? 0 : input.readZigzag();
        List<TableInfo> tables = new ArrayList<>();
        for (int left = input.readCount(); left > 0; left--) {
            tables.add(MetadataCodec.readTableInfo(input));
        }
        Map<BucketId, Bucket> buckets = new TreeMap<>();
        for (int left = input.readCount(); left > 0; left--) {
            BucketId id = MetadataCodec.readBucketId(input);
            LogEnd end = version < WITH_REMOTE ? LogEnds.readFirst(input) : LogEnds.read(input);
            buckets.put(id, new Bucket(end, input.readVarint(), WriterTable.read(input)));
        }
        List<FrozenTable> snapshots = new ArrayList<>();
        for (int left = input.readCount(); left > 0; left--) {
            snapshots.add(
                    new FrozenTable(
                            input.readLong(),
                            new TableId(input.readVarint()),
                            MetadataCodec.readOffsets(input),
                            MetadataCodec.readOffsets(input),
                            input.readZigzag()));
        }
        List<KvFile> files = new ArrayList<>();
        for (int left = input.readCount(); left > 0; left--) {
            files.add(new KvFile(input.readString(), input.readVarint(), input.readZigzag()));
        }
        return new Manifest(position, lastMillis, bornMillis, tables, buckets, snapshots, files);
    }
}
