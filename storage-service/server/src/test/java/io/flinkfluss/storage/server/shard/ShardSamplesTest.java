package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.testkit.FormatSample;
import io.flinkfluss.storage.api.testkit.FormatSamples;
import io.flinkfluss.storage.server.kv.FrozenTable;
import io.flinkfluss.storage.server.log.LogEnd;
import io.flinkfluss.storage.server.log.RemoteSegment;
import io.flinkfluss.storage.server.replication.Position;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Entries of a shard's log, their answers, and the manifest of its checkpoint. */
final class ShardSamplesTest extends FormatSamples {
    private static final BucketId BUCKET = ShardFixture.EVENTS_0;
    private static final TableId TABLE = ShardFixture.ROWS.id();
    private static final RemoteSegment REMOTE =
            new RemoteSegment("7/0/0/name", 0, 90, 4096, 64, -5, 10, 20, 1);

    @Override
    protected Stream<FormatSample> samples() {
        return Stream.of(
                entry(first()).version(1),
                entry(retention()),
                FormatSample.of(
                        ShardAnswers.FORMAT,
                        List.of(
                                new ShardAnswer.Done(),
                                new ShardAnswer.Stored(new AppendResult(1L << 40, true)),
                                new ShardAnswer.Frozen(Map.of(BUCKET, 7L), Map.of(BUCKET, -1L)),
                                new ShardAnswer.Refused(ErrorCode.UNKNOWN_WRITER, "why")),
                        ShardAnswers::encode,
                        ShardAnswers::decode),
                manifest(0, new LogEnd(3, 3, 100, 90, 4096, List.of())).onlyRead(1),
                manifest(12, new LogEnd(0, 90, 100, 90, 4096, List.of(REMOTE))));
    }

    private static FormatSample entry(List<ShardCommand> commands) {
        return FormatSample.of(
                ShardCommands.ENTRY,
                commands,
                each -> array(ShardCommands.encode(each)),
                ShardCommands::decode);
    }

    private static List<ShardCommand> first() {
        ArrowBatch rows =
                new ArrowBatch(
                        3,
                        77,
                        ByteBuffer.wrap(new byte[] {1, 2}),
                        ByteBuffer.wrap(new byte[] {4, 5, 6}),
                        List.of(
                                new ColumnStatistics(0, 0, new byte[] {1}, new byte[] {2, 3}),
                                new ColumnStatistics(5, 9, null, null)));
        KvBatch upserts = new KvBatch(2, 5, ByteBuffer.wrap(new byte[] {8, 9}));
        return List.of(
                new ShardCommand.OpenTable(ShardFixture.EVENTS),
                new ShardCommand.DropTable(TABLE),
                new ShardCommand.Append(BUCKET, new WriterStamp(99, 4), rows),
                new ShardCommand.Put(ShardFixture.ROWS_1, WriterStamp.NONE, upserts),
                new ShardCommand.TakeSnapshot(TABLE, 1L << 60),
                new ShardCommand.ReleaseSnapshot(-3));
    }

    private static List<ShardCommand> retention() {
        return List.of(
                new ShardCommand.RollLog(BUCKET, 300),
                new ShardCommand.TrimLog(BUCKET, 90, 100),
                new ShardCommand.AddRemoteSegment(BUCKET, REMOTE));
    }

    private static FormatSample manifest(long bornMillis, LogEnd end) {
        WriterTable writers = new WriterTable();
        for (int sequence = 0; sequence < 10; sequence++) {
            writers.stored(new WriterStamp(99, sequence), 10L * sequence, 1000 + sequence);
        }
        Manifest manifest =
                new Manifest(
                        new Position(4, 1L << 33),
                        1_700_000_000_000L,
                        bornMillis,
                        List.of(ShardFixture.EVENTS, ShardFixture.ROWS),
                        Map.of(BUCKET, new Manifest.Bucket(end, 0, writers)),
                        List.of(
                                new FrozenTable(
                                        55, TABLE, Map.of(BUCKET, 9L), Map.of(BUCKET, 2L), 40)),
                        List.of(
                                new Manifest.KvFile("000008.sst", 2081, -1),
                                new Manifest.KvFile("CURRENT", 16, 77)));
        return FormatSample.of(
                Manifest.FORMAT, manifest, each -> array(each.encode()), Manifest::decode);
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return array;
    }
}
