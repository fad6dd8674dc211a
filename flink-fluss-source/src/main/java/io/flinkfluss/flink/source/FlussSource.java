package io.flinkfluss.flink.source;

import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.connection.TableHandle;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.source.enumerator.EnumeratorForms;
import io.flinkfluss.flink.source.enumerator.EnumeratorState;
import io.flinkfluss.flink.source.enumerator.FlussSourceEnumerator;
import io.flinkfluss.flink.source.enumerator.SplitPlan;
import io.flinkfluss.flink.source.reader.BatchDecoder;
import io.flinkfluss.flink.source.reader.FlussSourceReader;
import io.flinkfluss.flink.source.shape.RowShape;
import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.SplitForms;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.FilterCodec;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import javax.annotation.Nullable;
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
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads one table, bounded or for ever. Every row is emitted exactly once per completed checkpoint,
 * in the order of the log within a bucket. Make one with {@link #builder()}.
 */
public final class FlussSource
        implements Source<RowData, FlussSplit, EnumeratorState>, ResultTypeQueryable<RowData> {
    private static final long serialVersionUID = 1L;

    private final ConnectionOptions connection;
    private final TableHandle table;
    private final SplitPlan plan;
    private final RowShape shape;
    @Nullable private final int[] projection;

    /** In the form of {@link FilterCodec}, which Java serialization can carry. */
    private final byte[] filter;

    private final long limit;

    FlussSource(
            ConnectionOptions connection,
            TableInfo table,
            SplitPlan plan,
            RowShape shape,
            @Nullable int[] projection,
            LogFilter filter,
            long limit) {
        this.connection = connection;
        this.table = new TableHandle(table);
        this.plan = plan;
        this.shape = shape;
        this.projection = projection;
        this.filter = encode(filter);
        this.limit = limit;
    }

    private static byte[] encode(LogFilter filter) {
        WireOutput output = new WireOutput();
        FilterCodec.write(output, filter);
        return output.toByteArray();
    }

    public static FlussSourceBuilder builder() {
        return new FlussSourceBuilder();
    }

    /** The type of the rows, after the projection. */
    public RowType rowType() {
        return shape.rowType(table.table().schema(), projection);
    }

    @Override
    public TypeInformation<RowData> getProducedType() {
        return InternalTypeInfo.of(rowType());
    }

    @Override
    public Boundedness getBoundedness() {
        return plan.boundedness();
    }

    @Override
    public SplitEnumerator<FlussSplit, EnumeratorState> createEnumerator(
            SplitEnumeratorContext<FlussSplit> context) {
        return enumerator(context, null);
    }

    @Override
    public SplitEnumerator<FlussSplit, EnumeratorState> restoreEnumerator(
            SplitEnumeratorContext<FlussSplit> context, EnumeratorState checkpoint) {
        return enumerator(context, checkpoint);
    }

    private FlussSourceEnumerator enumerator(
            SplitEnumeratorContext<FlussSplit> context, @Nullable EnumeratorState restored) {
        return new FlussSourceEnumerator(context, connection, table.table(), plan, restored);
    }

    @Override
    public SourceReader<RowData, FlussSplit> createReader(SourceReaderContext context) {
        return new FlussSourceReader(
                Connections.acquire(connection),
                new BatchDecoder(table.table().schema(), shape, projection),
                FilterCodec.read(new WireInput(filter)),
                limit,
                context);
    }

    @Override
    public SimpleVersionedSerializer<FlussSplit> getSplitSerializer() {
        return SplitForms.serializer();
    }

    @Override
    public SimpleVersionedSerializer<EnumeratorState> getEnumeratorCheckpointSerializer() {
        return EnumeratorForms.serializer();
    }
}
