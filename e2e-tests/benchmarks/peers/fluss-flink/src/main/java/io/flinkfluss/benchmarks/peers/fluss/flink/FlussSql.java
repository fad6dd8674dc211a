package io.flinkfluss.benchmarks.peers.fluss.flink;

import io.flinkfluss.benchmarks.flink.FlinkProgram;
import io.flinkfluss.benchmarks.flink.SqlSystem;
import io.flinkfluss.benchmarks.measure.Measure;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.exception.LakeTableSnapshotNotExistException;
import org.apache.fluss.flink.tiering.FlussLakeTieringEntrypoint;
import org.apache.fluss.metadata.TablePath;

/** The process of the driver of Apache Fluss in Flink SQL. */
public final class FlussSql implements SqlSystem {
    private static final long PATIENCE_SECONDS = 60;

    private final Admin admin;

    private FlussSql(Connection connection) {
        admin = connection.getAdmin();
    }

    public static void main(String[] arguments) {
        FlinkProgram.main(
                addresses -> {
                    Configuration configuration = new Configuration();
                    configuration.setString("bootstrap.servers", addresses);
                    return new FlussSql(ConnectionFactory.createConnection(configuration));
                });
    }

    /** The job is told about the lake by its arguments. */
    @Override
    public void runTiering(String addresses, String warehouse) throws Exception {
        FlussLakeTieringEntrypoint.main(
                new String[] {
                    "--fluss.bootstrap.servers",
                    addresses,
                    "--datalake.format",
                    "iceberg",
                    "--datalake.iceberg.type",
                    "hadoop",
                    "--datalake.iceberg.warehouse",
                    warehouse
                });
    }

    /** It refuses batches before something is in the lake, and those over keys in Iceberg. */
    @Override
    public boolean can(Measure measure) {
        return measure != Measure.SQL_UNION_KEYED && measure != Measure.SQL_UNION_NONE;
    }

    @Override
    public long tieredRows(String database, String table) throws Exception {
        try {
            return admin
                    .getLatestLakeSnapshot(TablePath.of(database, table))
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .getTableBucketsOffset()
                    .values()
                    .stream()
                    .mapToLong(Long::longValue)
                    .sum();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LakeTableSnapshotNotExistException) {
                return 0;
            }
            throw e;
        }
    }
}
