package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Bytes of what is known of databases and tables. The same form travels on the wire and is stored
 * in the Raft log and in checkpoints, so each outer value begins with a version.
 */
public final class MetadataCodec {
    static final Format TABLE = Format.first("table", "wire.md");
    static final Format DESCRIPTOR = Format.first("table descriptor", "wire.md");
    static final Format SCHEMA = Format.first("schema", "wire.md");
    static final Format DATABASE = Format.first("database", "wire.md");
    static final Format TIERING = Format.first("lake tiering", "wire.md");
    static final Format SNAPSHOT = Format.first("snapshot", "wire.md");

    private MetadataCodec() {}

    public static void writeTableInfo(WireOutput output, TableInfo table) {
        output.writeVersion(TABLE).writeVarint(table.id().value());
        writeTablePath(output, table.path());
        writeTableDescriptor(output, table.descriptor());
        output.writeVarint(table.createdAtMillis()).writeVarint(table.modifiedAtMillis());
    }

    public static TableInfo readTableInfo(WireInput input) {
        input.readVersion(TABLE);
        TableId id = new TableId(input.readVarint());
        TablePath path = readTablePath(input);
        TableDescriptor descriptor = readTableDescriptor(input);
        return new TableInfo(id, path, descriptor, input.readVarint(), input.readVarint());
    }

    public static void writeTableDescriptor(WireOutput output, TableDescriptor descriptor) {
        output.writeVersion(DESCRIPTOR);
        writeSchema(output, descriptor.schema());
        output.writeStrings(descriptor.partitionKeys())
                .writeStrings(descriptor.bucketKey())
                .writeVarint(descriptor.bucketCount())
                .writeStrings(descriptor.options())
                .writeStrings(descriptor.customProperties())
                .writeString(descriptor.comment());
    }

    public static TableDescriptor readTableDescriptor(WireInput input) {
        input.readVersion(DESCRIPTOR);
        return new TableDescriptor(
                readSchema(input),
                input.readStrings(),
                input.readStrings(),
                input.readVarintAsInt(),
                input.readStringMap(),
                input.readStringMap(),
                input.readString());
    }

    public static void writeSchema(WireOutput output, Schema schema) {
        output.writeVersion(SCHEMA).writeVarint(schema.id()).writeVarint(schema.columns().size());
        for (Column column : schema.columns()) {
            output.writeVarint(column.id()).writeString(column.name());
            writeDataType(output, column.type());
            output.writeString(column.comment());
        }
        output.writeStrings(schema.primaryKey());
    }

    public static Schema readSchema(WireInput input) {
        input.readVersion(SCHEMA);
        int id = input.readVarintAsInt();
        int count = input.readCount();
        List<Column> columns = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            columns.add(
                    new Column(
                            input.readVarintAsInt(),
                            input.readString(),
                            readDataType(input),
                            input.readString()));
        }
        return new Schema(id, columns, input.readStrings());
    }

    public static void writeDataType(WireOutput output, DataType type) {
        output.writeVarint(type.root().number())
                .writeVarint(type.length())
                .writeVarint(type.scale())
                .writeBoolean(type.nullable());
    }

    public static DataType readDataType(WireInput input) {
        return new DataType(
                TypeRoot.of(input.readVarintAsInt()),
                input.readVarintAsInt(),
                input.readVarintAsInt(),
                input.readBoolean());
    }

    public static void writeDatabaseInfo(WireOutput output, DatabaseInfo database) {
        output.writeVersion(DATABASE)
                .writeString(database.name())
                .writeString(database.comment())
                .writeStrings(database.properties())
                .writeVarint(database.createdAtMillis());
    }

    public static DatabaseInfo readDatabaseInfo(WireInput input) {
        input.readVersion(DATABASE);
        return new DatabaseInfo(
                input.readString(), input.readString(), input.readStringMap(), input.readVarint());
    }

    public static void writeLakeTiering(WireOutput output, LakeTiering tiering) {
        output.writeVersion(TIERING)
                .writeVarint(tiering.table().value())
                .writeVarint(tiering.round())
                .writeLong(tiering.lakeSnapshotId());
        writeOffsets(output, tiering.endOffsets());
        output.writeZigzag(tiering.committedAtMillis()).writeZigzag(tiering.tieredUpToMillis());
    }

    public static LakeTiering readLakeTiering(WireInput input) {
        input.readVersion(TIERING);
        return new LakeTiering(
                new TableId(input.readVarint()),
                input.readVarint(),
                input.readLong(),
                readOffsets(input),
                input.readZigzag(),
                input.readZigzag());
    }

    public static void writeKvSnapshot(WireOutput output, KvSnapshot snapshot) {
        output.writeVersion(SNAPSHOT)
                .writeVarint(snapshot.table().value())
                .writeLong(snapshot.snapshotId());
        writeOffsets(output, snapshot.logOffsets());
        writeOffsets(output, snapshot.rowCounts());
    }

    public static KvSnapshot readKvSnapshot(WireInput input) {
        input.readVersion(SNAPSHOT);
        return new KvSnapshot(
                new TableId(input.readVarint()),
                input.readLong(),
                readOffsets(input),
                readOffsets(input));
    }

    public static void writeTablePath(WireOutput output, TablePath path) {
        output.writeString(path.database()).writeString(path.table());
    }

    public static TablePath readTablePath(WireInput input) {
        return new TablePath(input.readString(), input.readString());
    }

    public static void writeBucketId(WireOutput output, BucketId bucket) {
        output.writeVarint(bucket.table().value())
                .writeVarint(bucket.partition())
                .writeVarint(bucket.bucket());
    }

    public static BucketId readBucketId(WireInput input) {
        return new BucketId(
                new TableId(input.readVarint()), input.readVarint(), input.readVarintAsInt());
    }

    public static void writeOffsets(WireOutput output, Map<BucketId, Long> offsets) {
        output.writeVarint(offsets.size());
        offsets.forEach(
                (bucket, offset) -> {
                    writeBucketId(output, bucket);
                    output.writeZigzag(offset);
                });
    }

    public static Map<BucketId, Long> readOffsets(WireInput input) {
        int count = input.readCount();
        Map<BucketId, Long> offsets = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            BucketId bucket = readBucketId(input);
            offsets.put(bucket, input.readZigzag());
        }
        return offsets;
    }
}
