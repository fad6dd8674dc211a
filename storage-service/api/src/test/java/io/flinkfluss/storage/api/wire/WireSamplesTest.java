package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.AllTypes;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.testkit.FormatSample;
import io.flinkfluss.storage.api.testkit.FormatSamples;
import io.flinkfluss.storage.api.wire.ClusterView.Leadership;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Messages between clients and nodes, and the values in them that are also stored. */
final class WireSamplesTest extends FormatSamples {
    private static final BucketId BUCKET = new BucketId(new TableId(1L << 40), 7, 300);
    private static final TableId TABLE = BUCKET.table();
    private static final List<ColumnStatistics> STATISTICS =
            List.of(
                    new ColumnStatistics(0, 0, new byte[] {1}, new byte[] {2, 3}),
                    new ColumnStatistics(5, 9, null, null));
    private static final LogFilter FILTER =
            new LogFilter(
                    3,
                    List.of(
                            new ColumnPredicate(
                                    300,
                                    ColumnPredicate.Operator.IN,
                                    List.of(new byte[] {1, -2}, new byte[0])),
                            new ColumnPredicate(
                                    0, ColumnPredicate.Operator.LESS, List.of(new byte[] {9})),
                            new ColumnPredicate(
                                    1, ColumnPredicate.Operator.IS_NOT_NULL, List.of())));
    private static final StorageException REFUSAL =
            new StorageException(ErrorCode.NOT_LEADER, "ask n2 – zoë");

    static final TableDescriptor DESCRIPTOR =
            new TableDescriptor(
                    AllTypes.SCHEMA,
                    List.of(),
                    List.of("c3", "c8"),
                    16,
                    Map.of("table.log.ttl", "1 d", "table.log.arrow.compression.type", "NONE"),
                    Map.of("a", "b", "c", ""),
                    "a comment");
    static final LakeTiering TIERING =
            new LakeTiering(TABLE, 3, -77, Map.of(BUCKET, 1L << 44), -1, 1_700_000_000_000L);
    static final KvSnapshot SNAPSHOT =
            new KvSnapshot(TABLE, 1L << 60, Map.of(BUCKET, 9L), Map.of(BUCKET, -1L));

    @Override
    protected Stream<FormatSample> samples() {
        return Stream.of(puts(), reads(), lookups(), stored(), views())
                .flatMap(Function.identity());
    }

    private static Stream<FormatSample> puts() {
        PutHeader log =
                new PutHeader(
                        12, BUCKET, new WriterStamp(99, 4), PutHeader.Kind.LOG, 3, 77, STATISTICS);
        PutHeader keyed =
                new PutHeader(
                        1L << 33, BUCKET, WriterStamp.NONE, PutHeader.Kind.KV, 1, 1, List.of());
        return Stream.of(
                FormatSample.of(PutHeader.FORMAT, log, PutHeader::encode, PutHeader::decode)
                        .variant("log"),
                FormatSample.of(PutHeader.FORMAT, keyed, PutHeader::encode, PutHeader::decode)
                        .variant("kv"),
                FormatSample.of(
                                PutAck.FORMAT,
                                PutAck.stored(5, new AppendResult(-1, true)),
                                PutAck::encode,
                                PutAck::decode)
                        .variant("stored"),
                FormatSample.of(
                                PutAck.FORMAT,
                                PutAck.failed(6, REFUSAL),
                                PutAck::encode,
                                PutAck::decode)
                        .variant("failed"),
                FormatSample.of(
                        ErrorFrame.FORMAT,
                        ErrorFrame.of(REFUSAL),
                        ErrorFrame::encode,
                        bytes -> ErrorFrame.decode(array(bytes))));
    }

    private static Stream<FormatSample> reads() {
        ScanRequest columns = new ScanRequest(BUCKET, 10, ScanRequest.UNBOUNDED, new int[] {2, 0});
        ScanRequest all = new ScanRequest(BUCKET, 0, 5, null);
        KvScanRequest rows = new KvScanRequest(BUCKET, -4, new byte[] {1, 0}, new int[] {3});
        return Stream.of(
                ticket(ScanTicket.FORMAT, new ScanTicket(columns)).version(1).variant("columns"),
                ticket(ScanTicket.FORMAT, new ScanTicket(all)).version(1).variant("all"),
                ticket(ScanTicket.FORMAT, new ScanTicket(columns.from(ReadFrom.ANY))).version(2),
                ticket(ScanTicket.FORMAT, new ScanTicket(all.matching(FILTER))),
                ticket(KvScanTicket.FORMAT, new KvScanTicket(rows)),
                FormatSample.of(
                                BatchHeader.FORMAT,
                                new BatchHeader(
                                        1L << 50, 2, -1, 3, ByteBuffer.wrap(new byte[] {1, 2})),
                                BatchHeader::encode,
                                BatchHeader::decode)
                        .version(1),
                FormatSample.of(
                        BatchHeader.FORMAT,
                        BatchHeader.of(LogBatch.ofLeftOut(BUCKET, 1L << 50, 300)),
                        BatchHeader::encode,
                        BatchHeader::decode),
                FormatSample.of(
                        RowBatchHeader.FORMAT,
                        new RowBatchHeader(9, 1, ByteBuffer.wrap(new byte[] {0, -1})),
                        RowBatchHeader::encode,
                        RowBatchHeader::decode));
    }

    private static FormatSample ticket(Format format, StreamTicket ticket) {
        return FormatSample.of(format, ticket, StreamTicket::encode, StreamTicket::decode)
                .versionAt(1);
    }

    private static Stream<FormatSample> lookups() {
        LookupRequest keys =
                new LookupRequest(
                        1,
                        BUCKET,
                        LookupRequest.Kind.KEYS,
                        List.of(new byte[] {1, 2}, new byte[0]));
        LookupRequest prefixes =
                new LookupRequest(
                        2, BUCKET, LookupRequest.Kind.PREFIXES, List.of(new byte[] {-128}));
        LookupResponse found =
                LookupResponse.found(
                        1,
                        List.of(
                                List.of(),
                                List.of(
                                        new EncodedRow(1, new byte[0]),
                                        new EncodedRow(2, new byte[] {6, 7}))));
        LookupResponse failed = LookupResponse.failed(2, REFUSAL);
        return Stream.of(
                FormatSample.of(
                                LookupRequest.FORMAT,
                                keys,
                                LookupRequest::encode,
                                LookupRequest::decode)
                        .variant("keys"),
                FormatSample.of(
                                LookupRequest.FORMAT,
                                prefixes,
                                LookupRequest::encode,
                                LookupRequest::decode)
                        .variant("prefixes"),
                FormatSample.of(
                                LookupResponse.FORMAT,
                                found,
                                LookupResponse::encode,
                                LookupResponse::decode)
                        .variant("found"),
                FormatSample.of(
                                LookupResponse.FORMAT,
                                failed,
                                LookupResponse::encode,
                                LookupResponse::decode)
                        .variant("failed"));
    }

    private static Stream<FormatSample> stored() {
        TablePath path = new TablePath("db", "tische-äöü");
        return Stream.of(
                value(
                        MetadataCodec.TABLE,
                        new TableInfo(TABLE, path, DESCRIPTOR, 1000, 2000),
                        MetadataCodec::writeTableInfo,
                        MetadataCodec::readTableInfo),
                value(
                        MetadataCodec.DESCRIPTOR,
                        DESCRIPTOR,
                        MetadataCodec::writeTableDescriptor,
                        MetadataCodec::readTableDescriptor),
                value(
                        MetadataCodec.SCHEMA,
                        AllTypes.SCHEMA,
                        MetadataCodec::writeSchema,
                        MetadataCodec::readSchema),
                value(
                        MetadataCodec.DATABASE,
                        new DatabaseInfo("db", "comment", Map.of("k", "v"), 77),
                        MetadataCodec::writeDatabaseInfo,
                        MetadataCodec::readDatabaseInfo),
                value(
                        MetadataCodec.TIERING,
                        TIERING,
                        MetadataCodec::writeLakeTiering,
                        MetadataCodec::readLakeTiering),
                value(
                        MetadataCodec.SNAPSHOT,
                        SNAPSHOT,
                        MetadataCodec::writeKvSnapshot,
                        MetadataCodec::readKvSnapshot));
    }

    private static <T> FormatSample value(
            Format format,
            T value,
            BiConsumer<WireOutput, T> writer,
            Function<WireInput, T> reader) {
        return FormatSample.of(
                format,
                value,
                each -> {
                    WireOutput output = new WireOutput();
                    writer.accept(output, each);
                    return output.toByteArray();
                },
                bytes -> reader.apply(new WireInput(bytes)));
    }

    private static Stream<FormatSample> views() {
        List<ClusterView.Node> nodes =
                List.of(
                        new ClusterView.Node("n1", "host", 1),
                        new ClusterView.Node("n2", "other", 65535));
        ClusterView newest =
                new ClusterView(
                        nodes,
                        70,
                        new Leadership("n1", 300),
                        List.of(new Leadership("n2", 5), Leadership.UNKNOWN));
        ClusterView first =
                new ClusterView(
                        nodes,
                        -1,
                        Leadership.UNKNOWN,
                        List.of(new Leadership("n2", 0), Leadership.UNKNOWN));
        return Stream.of(
                value(
                                ClusterView.FORMAT,
                                first,
                                (output, view) -> view.write(output, 1),
                                ClusterView::read)
                        .version(1),
                value(
                        ClusterView.FORMAT,
                        newest,
                        (output, view) -> view.write(output, 2),
                        ClusterView::read));
    }

    static byte[] array(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return array;
    }
}
