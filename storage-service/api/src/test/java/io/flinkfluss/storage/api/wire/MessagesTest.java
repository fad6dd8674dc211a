package io.flinkfluss.storage.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.ColumnPredicate.Operator;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class MessagesTest {
    /** Far above what any format has reached. */
    private static final byte UNKNOWN_VERSION = 99;

    private static final BucketId BUCKET = new BucketId(new TableId(1L << 40), 7, 300);

    private static void assertCode(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void putHeadersComeBackWithTheirBatch() {
        List<ColumnStatistics> statistics =
                List.of(
                        new ColumnStatistics(0, 0, new byte[] {1}, new byte[] {2, 3}),
                        new ColumnStatistics(5, 9, null, null),
                        new ColumnStatistics(6, 1, new byte[0], new byte[0]));
        ArrowBatch batch =
                new ArrowBatch(
                        3,
                        77,
                        ByteBuffer.wrap(new byte[] {1, 2}),
                        ByteBuffer.wrap(new byte[] {4, 5, 6}),
                        statistics);
        FlightFrame frame = PutHeader.frame(12, BUCKET, new WriterStamp(99, 4), batch);
        PutHeader header = PutHeader.decode(frame.appMetadata());
        assertThat(header.requestId()).isEqualTo(12);
        assertThat(header.bucket()).isEqualTo(BUCKET);
        assertThat(header.stamp()).isEqualTo(new WriterStamp(99, 4));
        assertThat(header.kind()).isEqualTo(PutHeader.Kind.LOG);
        assertThat(header.arrowBatch(frame)).isEqualTo(batch);

        KvBatch rows = new KvBatch(2, 5, ByteBuffer.wrap(new byte[] {8, 9}));
        FlightFrame keyed = PutHeader.frame(13, BUCKET, WriterStamp.NONE, rows);
        PutHeader keyedHeader = PutHeader.decode(keyed.appMetadata());
        assertThat(keyedHeader.stamp()).isEqualTo(WriterStamp.NONE);
        assertThat(keyedHeader.kind()).isEqualTo(PutHeader.Kind.KV);
        assertThat(keyedHeader.kvBatch(keyed)).isEqualTo(rows);
    }

    @Test
    void acknowledgementsComeBack() {
        PutAck stored = PutAck.stored(5, new AppendResult(-1, true));
        assertThat(PutAck.decode(ByteBuffer.wrap(stored.encode()))).isEqualTo(stored);
        PutAck failed = PutAck.failed(6, new StorageException(ErrorCode.BUSY, "wait"));
        PutAck decoded = PutAck.decode(ByteBuffer.wrap(failed.encode()));
        assertThat(decoded).isEqualTo(failed);
        assertThat(decoded.error().orElseThrow().toException())
                .hasMessage("wait")
                .matches(StorageException::isRetryable);
    }

    @Test
    void ticketsComeBack() {
        ScanRequest scan = new ScanRequest(BUCKET, 10, ScanRequest.UNBOUNDED, new int[] {2, 0});
        ScanTicket decoded =
                (ScanTicket) StreamTicket.decode(ByteBuffer.wrap(new ScanTicket(scan).encode()));
        assertThat(decoded.request()).usingRecursiveComparison().isEqualTo(scan);
        ScanRequest all = new ScanRequest(BUCKET, 0, 5, null);
        assertThat(
                        ((ScanTicket)
                                        StreamTicket.decode(
                                                ByteBuffer.wrap(new ScanTicket(all).encode())))
                                .request()
                                .columnIndexes())
                .isNull();
        ScanRequest anywhere = scan.from(ReadFrom.ANY);
        assertThat(
                        ((ScanTicket)
                                        StreamTicket.decode(
                                                ByteBuffer.wrap(new ScanTicket(anywhere).encode())))
                                .request())
                .usingRecursiveComparison()
                .isEqualTo(anywhere);
        KvScanRequest keyed = new KvScanRequest(BUCKET, -4, new byte[] {1, 0}, new int[0]);
        KvScanTicket keyedTicket =
                (KvScanTicket)
                        StreamTicket.decode(ByteBuffer.wrap(new KvScanTicket(keyed).encode()));
        assertThat(keyedTicket.request()).usingRecursiveComparison().isEqualTo(keyed);
        assertCode(
                ErrorCode.CORRUPT_DATA,
                () -> StreamTicket.decode(ByteBuffer.wrap(new byte[] {9, 1})));
    }

    @Test
    void aScanOfTheLeaderStillReadsForAnOlderNode() {
        byte[] fromLeader = new ScanTicket(new ScanRequest(BUCKET, 0, 5, null)).encode();
        assertThat(fromLeader[1]).isEqualTo((byte) 1);
        byte[] fromAny =
                new ScanTicket(new ScanRequest(BUCKET, 0, 5, null).from(ReadFrom.ANY)).encode();
        assertThat(fromAny[1]).isEqualTo((byte) 2);
        fromAny[fromAny.length - 1] = 7;
        assertCode(ErrorCode.CORRUPT_DATA, () -> StreamTicket.decode(ByteBuffer.wrap(fromAny)));
    }

    @Test
    void onlyAScanWithAFilterNeedsANodeThatKnowsFilters() {
        ScanRequest all = new ScanRequest(BUCKET, 0, 5, null);
        LogFilter filter =
                new LogFilter(1, List.of(new ColumnPredicate(2, Operator.IS_NULL, List.of())));
        byte[] filtered = new ScanTicket(all.matching(filter)).encode();
        assertThat(filtered[1]).isEqualTo((byte) 3);
        assertThat(new ScanTicket(all.matching(LogFilter.NONE)).encode()[1]).isEqualTo((byte) 1);
        assertThat(((ScanTicket) StreamTicket.decode(ByteBuffer.wrap(filtered))).request())
                .usingRecursiveComparison()
                .isEqualTo(all.matching(filter));
        int operator = filtered.length - 2;
        filtered[operator] = (byte) Operator.IN.ordinal();
        assertCode(ErrorCode.CORRUPT_DATA, () -> StreamTicket.decode(ByteBuffer.wrap(filtered)));
        filtered[operator] = (byte) Operator.values().length;
        assertCode(ErrorCode.CORRUPT_DATA, () -> StreamTicket.decode(ByteBuffer.wrap(filtered)));
    }

    @Test
    void headersOfReadBatchesComeBack() {
        BatchHeader header =
                new BatchHeader(1L << 50, 2, -1, 3, ByteBuffer.wrap(new byte[] {1, 2}));
        assertThat(BatchHeader.decode(ByteBuffer.wrap(header.encode()))).isEqualTo(header);
        RowBatchHeader rows = new RowBatchHeader(9, 1, ByteBuffer.wrap(new byte[] {0, -1}));
        assertThat(RowBatchHeader.decode(ByteBuffer.wrap(rows.encode()))).isEqualTo(rows);
    }

    @Test
    void lookupsComeBack() {
        LookupRequest request =
                new LookupRequest(
                        1,
                        BUCKET,
                        LookupRequest.Kind.PREFIXES,
                        List.of(new byte[] {1, 2}, new byte[0]));
        assertThat(LookupRequest.decode(ByteBuffer.wrap(request.encode())))
                .usingRecursiveComparison()
                .isEqualTo(request);
        LookupResponse response =
                LookupResponse.found(
                        1,
                        List.of(
                                List.of(),
                                List.of(new EncodedRow(1, new byte[] {5})),
                                List.of(
                                        new EncodedRow(1, new byte[0]),
                                        new EncodedRow(2, new byte[] {6, 7}))));
        assertThat(LookupResponse.decode(ByteBuffer.wrap(response.encode()))).isEqualTo(response);
        LookupResponse failed =
                LookupResponse.failed(2, new StorageException(ErrorCode.NOT_LEADER, "no"));
        assertThat(LookupResponse.decode(ByteBuffer.wrap(failed.encode()))).isEqualTo(failed);
    }

    @Test
    void everyErrorCodeComesBackAndNewOnesAreInternal() {
        for (ErrorCode code : ErrorCode.values()) {
            ErrorFrame frame = ErrorFrame.of(new StorageException(code, "why"));
            assertThat(ErrorFrame.decode(frame.encode()).toException().code()).isEqualTo(code);
        }
        assertThat(ErrorFrame.decode(new ErrorFrame(999, "new").encode()).toException().code())
                .isEqualTo(ErrorCode.INTERNAL);
        ErrorFrame cut = ErrorFrame.decode(new ErrorFrame(1, "x".repeat(9000)).encode());
        assertThat(cut.message()).hasSizeLessThan(2100).endsWith("...");
    }

    static Stream<Arguments> versioned() {
        ScanTicket ticket = new ScanTicket(new ScanRequest(BUCKET, 0, 5, null));
        return Stream.of(
                Arguments.of(
                        0,
                        PutAck.stored(1, new AppendResult(1, false)).encode(),
                        (Function<ByteBuffer, Object>) PutAck::decode),
                Arguments.of(
                        0,
                        new LookupRequest(1, BUCKET, LookupRequest.Kind.KEYS, List.of()).encode(),
                        (Function<ByteBuffer, Object>) LookupRequest::decode),
                Arguments.of(
                        0,
                        LookupResponse.found(1, List.of()).encode(),
                        (Function<ByteBuffer, Object>) LookupResponse::decode),
                Arguments.of(
                        0,
                        new BatchHeader(1, 1, 1, 1, ByteBuffer.allocate(0)).encode(),
                        (Function<ByteBuffer, Object>) BatchHeader::decode),
                Arguments.of(
                        0,
                        new RowBatchHeader(1, 1, ByteBuffer.allocate(0)).encode(),
                        (Function<ByteBuffer, Object>) RowBatchHeader::decode),
                Arguments.of(
                        0,
                        new PutHeader(
                                        1,
                                        BUCKET,
                                        WriterStamp.NONE,
                                        PutHeader.Kind.LOG,
                                        1,
                                        1,
                                        List.of())
                                .encode(),
                        (Function<ByteBuffer, Object>) PutHeader::decode),
                Arguments.of(
                        1, ticket.encode(), (Function<ByteBuffer, Object>) StreamTicket::decode),
                Arguments.of(
                        1,
                        new ScanTicket(ticket.request().from(ReadFrom.ANY)).encode(),
                        (Function<ByteBuffer, Object>) StreamTicket::decode));
    }

    @ParameterizedTest
    @MethodSource("versioned")
    void aNewerVersionIsNamed(int position, byte[] message, Function<ByteBuffer, Object> reader) {
        assertThat(reader.apply(ByteBuffer.wrap(message))).isNotNull();
        message[position] = UNKNOWN_VERSION;
        assertThatThrownBy(() -> reader.apply(ByteBuffer.wrap(message)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE_VERSION))
                .hasMessageContaining("version " + UNKNOWN_VERSION)
                .hasMessageContaining("1 to ");
    }

    @ParameterizedTest
    @MethodSource("versioned")
    void aMessageThatEndsEarlyIsRefused(
            int position, byte[] message, Function<ByteBuffer, Object> reader) {
        for (int length = position; length < message.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(message, 0, length);
            assertCode(ErrorCode.CORRUPT_DATA, () -> reader.apply(cut));
        }
    }
}
