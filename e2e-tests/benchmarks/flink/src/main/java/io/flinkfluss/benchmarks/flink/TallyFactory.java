package io.flinkfluss.benchmarks.flink;

import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.FactoryUtil;

/** {@code 'connector'='tally'}: a table that keeps only the {@link Tally} of what is inserted. */
public final class TallyFactory implements DynamicTableSinkFactory {
    private static final ConfigOption<String> NAME =
            ConfigOptions.key("name").stringType().noDefaultValue();

    /** Whether each row is compared with what its key says it has to be, which costs time. */
    private static final ConfigOption<Boolean> COMPARING =
            ConfigOptions.key("comparing").booleanType().defaultValue(false);

    @Override
    public String factoryIdentifier() {
        return "tally";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(NAME);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(COMPARING);
    }

    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
        helper.validate();
        return new TallySink(
                helper.getOptions().get(NAME),
                helper.getOptions().get(COMPARING),
                context.getPhysicalRowDataType());
    }
}
