package io.flinkfluss.benchmarks.flink;

import java.io.Serializable;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;

/** {@code 'connector'='orders'}: a table that makes the rows of the benchmarks, and ends. */
public final class OrdersFactory implements DynamicTableSourceFactory {
    private static final ConfigOption<Long> ROWS =
            ConfigOptions.key("rows").longType().noDefaultValue();
    private static final ConfigOption<Long> FIRST =
            ConfigOptions.key("first").longType().defaultValue(0L);
    private static final ConfigOption<Boolean> SHUFFLED =
            ConfigOptions.key("shuffled").booleanType().defaultValue(false);

    /**
     * Which rows.
     *
     * @param first the number of the first one
     * @param shuffled whether they come in another order than by their numbers
     */
    record Rows(long count, long first, boolean shuffled) implements Serializable {}

    @Override
    public String factoryIdentifier() {
        return "orders";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(ROWS);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(FIRST, SHUFFLED);
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
        helper.validate();
        ReadableConfig options = helper.getOptions();
        return new OrdersSource(
                new Rows(options.get(ROWS), options.get(FIRST), options.get(SHUFFLED)),
                context.getPhysicalRowDataType());
    }
}
