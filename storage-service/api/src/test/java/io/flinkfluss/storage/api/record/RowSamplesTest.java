package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.testkit.FormatSample;
import io.flinkfluss.storage.api.testkit.FormatSamples;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows, keys and batches of upserts. */
final class RowSamplesTest extends FormatSamples {
    private static final RowCodec ROWS = new RowCodec(AllTypes.SCHEMA);
    private static final Schema KEYS = keys();

    @Override
    protected Stream<FormatSample> samples() {
        List<FormatSample> samples = new ArrayList<>();
        for (int i = 0; i < AllTypes.rows().size(); i++) {
            GenericRow row = AllTypes.rows().get(i);
            samples.add(
                    FormatSample.of(RowCodec.FORMAT, row, ROWS::encode, RowSamplesTest::row)
                            .variant("row-" + i));
            if (i > 0) {
                samples.add(
                        FormatSample.of(
                                        KeyCodec.FORMAT,
                                        TestBatches.key(KEYS, row),
                                        key -> TestBatches.key(KEYS, row),
                                        RowSamplesTest::array)
                                .variant("row-" + i)
                                .versionAt(-1));
            }
        }
        samples.add(
                FormatSample.of(
                                KvBatchBuilder.FORMAT,
                                List.of("[1, 2] -> [5, 6]", "[3] -> null"),
                                entries -> array(batch().entries()),
                                RowSamplesTest::entries)
                        .versionAt(-1));
        return samples.stream();
    }

    private static GenericRow row(ByteBuffer bytes) {
        return GenericRow.copyOf(ROWS.decode(array(bytes)), AllTypes.TYPES);
    }

    private static KvBatch batch() {
        KvBatchBuilder builder = new KvBatchBuilder(1);
        builder.upsert(new byte[] {1, 2}, new byte[] {5, 6});
        builder.delete(new byte[] {3});
        return builder.build();
    }

    private static List<String> entries(ByteBuffer bytes) {
        KvBatchCursor cursor = new KvBatchCursor(new KvBatch(1, 2, bytes));
        List<String> entries = new ArrayList<>();
        while (cursor.next()) {
            entries.add(
                    java.util.Arrays.toString(cursor.key())
                            + " -> "
                            + java.util.Arrays.toString(cursor.row()));
        }
        return entries;
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return array;
    }

    private static Schema keys() {
        List<Column> columns =
                IntStream.range(0, AllTypes.TYPES.size())
                        .mapToObj(i -> Column.of(i, "c" + i, AllTypes.TYPES.get(i).notNull()))
                        .toList();
        return new Schema(1, columns, columns.stream().map(Column::name).toList());
    }
}
