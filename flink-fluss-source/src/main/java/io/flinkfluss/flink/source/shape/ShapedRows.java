package io.flinkfluss.flink.source.shape;

import org.apache.flink.table.data.RowData;

/**
 * The rows of one loaded batch in the wanted shape; reused for every batch that is loaded into the
 * same vectors. Used by one thread at a time.
 */
public interface ShapedRows {
    /** Tells what the vectors now hold; call after each load. */
    void begin(BatchHead head);

    /**
     * The row, valid until the next call; null when this row of the log gives none on its own.
     *
     * @param open the half-read update of the same bucket, kept between batches
     */
    RowData row(int index, OpenUpdate open);
}
