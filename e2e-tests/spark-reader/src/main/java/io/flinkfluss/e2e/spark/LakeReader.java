package io.flinkfluss.e2e.spark;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * Runs queries on an Iceberg warehouse with Spark and writes each answer's rows as JSON lines.
 *
 * <p>Arguments: the warehouse folder, then pairs of a result file and a query; tables are {@code
 * lake.database.table}.
 */
public final class LakeReader {
    private LakeReader() {}

    public static void main(String[] arguments) throws Exception {
        try (SparkSession spark =
                SparkSession.builder()
                        .master("local[1]")
                        .appName("lake-reader")
                        .config("spark.ui.enabled", "false")
                        .config("spark.driver.host", "127.0.0.1")
                        .config("spark.driver.bindAddress", "127.0.0.1")
                        .config("spark.sql.session.timeZone", "UTC")
                        .config("spark.sql.shuffle.partitions", "2")
                        .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
                        .config("spark.sql.catalog.lake.type", "hadoop")
                        .config("spark.sql.catalog.lake.warehouse", arguments[0])
                        .getOrCreate()) {
            for (int i = 1; i + 1 < arguments.length; i += 2) {
                List<String> rows = spark.sql(arguments[i + 1]).toJSON().collectAsList();
                try (PrintWriter out =
                        new PrintWriter(
                                Files.newBufferedWriter(
                                        Path.of(arguments[i]), StandardCharsets.UTF_8))) {
                    rows.forEach(out::println);
                }
            }
        }
    }
}
