package io.flinkfluss.flink.catalog;

import io.flinkfluss.flink.source.startup.Startup;
import io.flinkfluss.flink.unionread.options.UnionReadOptions;
import java.time.ZoneId;
import java.util.Optional;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.config.TableConfigOptions;
import org.apache.flink.table.factories.FactoryUtil;

/** How it is read: the options of the table and of the session, parsed. */
record ScanSettings(
        Startup startup,
        boolean bounded,
        Optional<Integer> parallelism,
        long mergeMemoryBytes,
        ReadableConfig options) {
    static ScanSettings of(ReadableConfig options, ReadableConfig session) {
        return new ScanSettings(
                Startup.of(options, zone(session)),
                session.get(ExecutionOptions.RUNTIME_MODE) == RuntimeExecutionMode.BATCH,
                options.getOptional(FactoryUtil.SOURCE_PARALLELISM),
                options.get(UnionReadOptions.MERGE_MEMORY).getBytes(),
                options);
    }

    private static ZoneId zone(ReadableConfig session) {
        String zone = session.get(TableConfigOptions.LOCAL_TIME_ZONE);
        return TableConfigOptions.LOCAL_TIME_ZONE.defaultValue().equals(zone)
                ? ZoneId.systemDefault()
                : ZoneId.of(zone);
    }

    boolean isFull() {
        return startup instanceof Startup.Full;
    }
}
