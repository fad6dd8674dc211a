package io.flinkfluss.flink.unionread;

import io.flinkfluss.flink.type.FlinkTypes;
import io.flinkfluss.flink.unionread.plan.UnionScan;
import io.flinkfluss.flink.unionread.reader.UnionReader;
import io.flinkfluss.flink.unionread.split.PlannedSplits;
import io.flinkfluss.flink.unionread.split.UnionSerializers;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import io.flinkfluss.storage.api.table.Column;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;

/** Both tiers of a lake-enabled table as one source; see the package's tour. */
public final class UnionSource
        implements Source<RowData, UnionSplit, PlannedSplits>, ResultTypeQueryable<RowData> {
    private static final long serialVersionUID = 1L;

    private final UnionScan scan;

    public UnionSource(UnionScan scan) {
        this.scan = scan;
    }

    @Override
    public Boundedness getBoundedness() {
        return scan.tiers() == UnionScan.Tiers.UNBOUNDED
                ? Boundedness.CONTINUOUS_UNBOUNDED
                : Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<RowData, UnionSplit> createReader(SourceReaderContext context) {
        return new UnionReader(scan, context);
    }

    @Override
    public SplitEnumerator<UnionSplit, PlannedSplits> createEnumerator(
            SplitEnumeratorContext<UnionSplit> context) {
        return new UnionEnumerator(context, scan, new PlannedSplits(false, List.of()));
    }

    @Override
    public SplitEnumerator<UnionSplit, PlannedSplits> restoreEnumerator(
            SplitEnumeratorContext<UnionSplit> context, PlannedSplits state) {
        return new UnionEnumerator(context, scan, state);
    }

    @Override
    public SimpleVersionedSerializer<UnionSplit> getSplitSerializer() {
        return UnionSerializers.splits();
    }

    @Override
    public SimpleVersionedSerializer<PlannedSplits> getEnumeratorCheckpointSerializer() {
        return UnionSerializers.planned();
    }

    @Override
    public TypeInformation<RowData> getProducedType() {
        List<Column> columns = scan.table().schema().columns();
        return InternalTypeInfo.of(
                FlinkTypes.rowType(
                        IntStream.of(scan.projection()).mapToObj(columns::get).toList()));
    }
}
