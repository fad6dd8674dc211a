package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of a batch's column statistics: count, then per column its id, null count, and bounds
 * (length plus one, 0 for none).
 */
public final class StatisticsBlock {
    private StatisticsBlock() {}

    public static void write(WireOutput output, List<ColumnStatistics> statistics) {
        output.writeVarint(statistics.size());
        for (ColumnStatistics column : statistics) {
            output.writeVarint(column.columnId())
                    .writeVarint(column.nullCount())
                    .writeNullableBytes(column.min())
                    .writeNullableBytes(column.max());
        }
    }

    public static List<ColumnStatistics> read(WireInput input) {
        int count = input.readCount();
        List<ColumnStatistics> statistics = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            statistics.add(
                    new ColumnStatistics(
                            input.readVarintAsInt(),
                            input.readVarintAsInt(),
                            input.readNullableBytes(),
                            input.readNullableBytes()));
        }
        return statistics;
    }
}
