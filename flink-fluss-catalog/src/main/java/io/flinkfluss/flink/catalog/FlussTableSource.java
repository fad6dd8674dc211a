package io.flinkfluss.flink.catalog;

import io.flinkfluss.flink.catalog.table.VirtualTable;
import io.flinkfluss.flink.lookup.LookupProviders;
import io.flinkfluss.flink.source.FlussSource;
import io.flinkfluss.flink.source.FlussSourceBuilder;
import io.flinkfluss.flink.source.filter.FilterTranslator;
import io.flinkfluss.flink.source.shape.RowShape;
import io.flinkfluss.flink.unionread.UnionSource;
import io.flinkfluss.flink.unionread.plan.UnionScan;
import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.LogFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.connector.source.abilities.SupportsFilterPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsLimitPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.types.DataType;

/**
 * A table or one of its views as Flink SQL reads it: the whole of a lake-enabled table by the union
 * read, {@code $lake} from the newest lake snapshot, everything else from the storage service
 * alone; and by key in lookup joins.
 */
final class FlussTableSource
        implements ScanTableSource,
                LookupTableSource,
                SupportsProjectionPushDown,
                SupportsFilterPushDown,
                SupportsLimitPushDown {
    private final ScanTarget target;
    private final ScanSettings settings;

    /** Positions of the wanted columns in the row type of the target, in the wanted order. */
    private int[] projection;

    private LogFilter filter = LogFilter.NONE;
    private long limit = UnionScan.NO_LIMIT;

    FlussTableSource(ScanTarget target, ScanSettings settings) {
        this.target = target;
        this.settings = settings;
        this.projection =
                IntStream.range(0, shape().rowType(target.table().schema()).getFieldCount())
                        .toArray();
    }

    @Override
    public DynamicTableSource copy() {
        FlussTableSource copy = new FlussTableSource(target, settings);
        copy.projection = projection;
        copy.filter = filter;
        copy.limit = limit;
        return copy;
    }

    @Override
    public String asSummaryString() {
        return "Fluss[" + target.name() + "]";
    }

    @Override
    public ChangelogMode getChangelogMode() {
        boolean changes = target.isChangelog() && !settings.bounded();
        return changes ? ChangelogMode.all() : ChangelogMode.insertOnly();
    }

    @Override
    public boolean supportsNestedProjection() {
        return false;
    }

    @Override
    public void applyProjection(int[][] fields, DataType producedType) {
        projection = Arrays.stream(fields).mapToInt(path -> path[0]).toArray();
    }

    /**
     * What is accepted leaves out batches of which no row can match, so all filters remain to be
     * done for each row.
     */
    @Override
    public Result applyFilters(List<ResolvedExpression> filters) {
        List<ResolvedExpression> accepted = new ArrayList<>();
        List<ColumnPredicate> predicates = new ArrayList<>();
        if (readsOnlyALogTable()) {
            FilterTranslator translator = new FilterTranslator(target.table().schema());
            for (ResolvedExpression condition : filters) {
                Optional<ColumnPredicate> predicate = translator.translate(condition);
                if (predicate.isPresent()) {
                    accepted.add(condition);
                    predicates.add(predicate.get());
                }
            }
        }
        filter = new LogFilter(target.table().schema().id(), predicates);
        return Result.of(accepted, filters);
    }

    private boolean readsOnlyALogTable() {
        return target.view().isEmpty() && !target.table().hasPrimaryKey() && !readsLake();
    }

    private boolean readsLake() {
        return target.view().isEmpty()
                && settings.isFull()
                && target.table().descriptor().lakeEnabled();
    }

    @Override
    public void applyLimit(long rows) {
        limit = Math.max(1, rows);
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        Source<RowData, ?, ?> source = source();
        return settings.parallelism()
                .map(parallelism -> SourceProvider.of(source, parallelism))
                .orElseGet(() -> SourceProvider.of(source));
    }

    private Source<RowData, ?, ?> source() {
        boolean lakeOnly = target.view().filter(VirtualTable.LAKE::equals).isPresent();
        if (lakeOnly) {
            return union(UnionScan.Tiers.LAKE);
        }
        if (readsLake()) {
            return union(settings.bounded() ? UnionScan.Tiers.BOUNDED : UnionScan.Tiers.UNBOUNDED);
        }
        if (target.isChangelog() && settings.bounded() && !settings.isFull()) {
            throw new ValidationException(
                    String.format(
                            "table %s has a primary key: a batch query reads its current rows"
                                    + " ('scan.startup.mode'='full'). Read its changes from the view"
                                    + " %s$changelog",
                            target.name(), target.name()));
        }
        FlussSourceBuilder builder =
                FlussSource.builder()
                        .connection(target.connection())
                        .table(target.table())
                        .shape(shape())
                        .projection(projection)
                        .filter(filter)
                        .startup(settings.startup());
        // the first n rows of a stream of changes are not the first n rows of the table
        return settings.bounded() ? builder.bounded().limit(limit).build() : builder.build();
    }

    private UnionSource union(UnionScan.Tiers tiers) {
        UnionScan scan =
                UnionScan.of(target.table(), target.connection(), target.lake(), projection, tiers)
                        .withMergeMemory(settings.mergeMemoryBytes());
        return new UnionSource(settings.bounded() ? scan.withLimit(limit) : scan);
    }

    private RowShape shape() {
        if (target.view().isEmpty()) {
            return new RowShape.Plain();
        }
        return switch (target.view().get()) {
            case CHANGELOG -> new RowShape.Changelog();
            case BINLOG -> new RowShape.Binlog();
            case LAKE -> new RowShape.Plain();
        };
    }

    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
        if (target.view().isPresent()) {
            throw new ValidationException(
                    String.format(
                            "the view %s cannot be looked up; join with its table %s",
                            target.name(), target.table().path()));
        }
        int[] keys =
                Arrays.stream(context.getKeys()).mapToInt(path -> projection[path[0]]).toArray();
        return LookupProviders.of(
                target.table(), target.connection(), settings.options(), keys, projection);
    }
}
