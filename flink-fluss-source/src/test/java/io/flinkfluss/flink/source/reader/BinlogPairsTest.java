package io.flinkfluss.flink.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.flink.source.RowText;
import io.flinkfluss.flink.source.shape.BatchHead;
import io.flinkfluss.flink.source.shape.OpenUpdate;
import io.flinkfluss.flink.source.shape.RowShape;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.Test;

/** The old and the new row of an update may come in different batches. */
class BinlogPairsTest {
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(0, "id", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(1, "name", DataType.of(TypeRoot.STRING))),
                    List.of("id"));

    private final RowShape shape = new RowShape.Binlog();
    private final OpenUpdate open = new OpenUpdate();

    private String read(BatchDecoder decoder, long offset, ChangeKind kind, String name) {
        ArrowBatch batch = TestBatches.arrow(SCHEMA, GenericRow.of(1, name));
        BatchHead head = new BatchHead(offset, 0, ByteBuffer.wrap(new byte[] {kind.number()}));
        BatchDecoder.Vectors vectors = decoder.decode(head, batch.metadata(), batch.body());
        RowData row = vectors.rows().row(0, open);
        String text = row == null ? "nothing" : new RowText(shape.rowType(SCHEMA)).of(row);
        vectors.giveBack();
        return text;
    }

    @Test
    void anUpdateThatIsSplitOverBatchesIsOneRow() {
        try (BatchDecoder decoder = new BatchDecoder(SCHEMA, shape, null)) {
            assertThat(read(decoder, 5, ChangeKind.UPDATE_BEFORE, "a")).isEqualTo("nothing");
            assertThat(open.resumeOffset(6)).isEqualTo(5);
            assertThat(read(decoder, 6, ChangeKind.UPDATE_AFTER, "b"))
                    .isEqualTo("+I[update, 5, 1970-01-01T00:00, [1, a], [1, b]]");
            assertThat(open.resumeOffset(7)).isEqualTo(7);
        }
    }

    @Test
    void anUpdateWhoseOldRowIsNoLongerInTheLogHasNoBefore() {
        try (BatchDecoder decoder = new BatchDecoder(SCHEMA, shape, null)) {
            assertThat(read(decoder, 6, ChangeKind.UPDATE_AFTER, "b"))
                    .isEqualTo("+I[update, 6, 1970-01-01T00:00, null, [1, b]]");
        }
    }
}
