package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.testkit.FormatSample;
import io.flinkfluss.storage.api.testkit.FormatSamples;
import java.nio.ByteBuffer;
import java.util.stream.Stream;

/** Segments and their indexes; whole segments are in the samples of data directories. */
final class LogSamplesTest extends FormatSamples {
    private static final BucketId BUCKET = new BucketId(new TableId(1L << 40), 7, 300);
    private static final long BASE = 1L << 33;

    @Override
    protected Stream<FormatSample> samples() {
        BatchHeader batch =
                new BatchHeader(
                        88 + 88,
                        -5,
                        BASE,
                        3,
                        1,
                        1_700_000_000_000L,
                        new WriterStamp(9, 4),
                        2,
                        3,
                        60,
                        31);
        SparseIndex index = new SparseIndex();
        index.add(BASE, 48, 1000);
        index.add(BASE + 500, 48 + SparseIndex.INTERVAL, 2000);
        return Stream.of(
                FormatSample.of(
                                SegmentHeader.FORMAT,
                                true,
                                each -> array(SegmentHeader.encode(BUCKET, BASE)),
                                bytes -> SegmentHeader.matches(bytes, BUCKET, BASE))
                        .versionAt(-1),
                // A damaged version byte cannot be told from a newer one: both are refused as
                // damage,
                // and a newer form of batches comes with a newer form of segments.
                FormatSample.of(
                                BatchHeader.FORMAT,
                                batch,
                                LogSamplesTest::bytes,
                                bytes -> BatchHeader.read(bytes, 0))
                        .versionAt(-1),
                // An index of another version is rebuilt from its segment.
                FormatSample.of(
                                SparseIndex.FORMAT,
                                index,
                                each -> array(each.encode()),
                                bytes -> SparseIndex.decode(bytes, Long.MAX_VALUE).orElseThrow())
                        .versionAt(-1));
    }

    private static byte[] bytes(BatchHeader header) {
        ByteBuffer bytes = ByteBuffer.allocate(BatchHeader.LENGTH);
        header.write(bytes);
        return bytes.putInt(BatchHeader.CHECKSUM_AT, header.checksum()).array();
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return array;
    }
}
