package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.flink.tiering.TieringJob;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;

/** The process of this product's driver of Flink SQL. */
public final class ProductSql implements SqlSystem {
    private final FlussClient client;

    private ProductSql(FlussClient client) {
        this.client = client;
    }

    public static void main(String[] arguments) {
        FlinkProgram.main(
                addresses -> new ProductSql(FlussClient.connect(ClientConfig.of(addresses))));
    }

    /** The service tells the job about the lake. */
    @Override
    public void runTiering(String addresses, String warehouse) throws Exception {
        TieringJob.main(new String[] {"--fluss.bootstrap.servers", addresses});
    }

    @Override
    public long tieredRows(String database, String table) {
        return client.lakeProgress()
                .latest(client.admin().table(new TablePath(database, table)).id())
                .map(
                        tiering ->
                                tiering.endOffsets().values().stream()
                                        .mapToLong(Long::longValue)
                                        .sum())
                .orElse(0L);
    }
}
