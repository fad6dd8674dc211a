package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeFormat;
import io.flinkfluss.lake.LakeFormats;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;

/**
 * Opens Iceberg catalogs. Settings: {@code type} ({@code hadoop} unless told otherwise, or {@code
 * rest}, {@code jdbc}, {@code hive}, {@code glue}, {@code nessie}), {@code warehouse}, and whatever
 * that catalog knows; {@code hadoop.*} goes to the Hadoop configuration.
 */
public final class IcebergFormat implements LakeFormat {
    private static final String TYPE = "type";
    private static final String HADOOP_PREFIX = "hadoop.";

    @Override
    public String name() {
        return "iceberg";
    }

    @Override
    public LakeCatalog open(Map<String, String> settings) {
        Map<String, String> properties = new HashMap<>(settings);
        properties.remove(LakeFormats.FORMAT);
        Configuration configuration = new Configuration();
        // The default asks a native library that is nowhere on a plain machine, and says so loudly.
        configuration.set(
                "hadoop.security.group.mapping",
                "org.apache.hadoop.security.ShellBasedUnixGroupsMapping");
        settings.forEach(
                (key, value) -> {
                    if (key.startsWith(HADOOP_PREFIX)) {
                        configuration.set(key.substring(HADOOP_PREFIX.length()), value);
                        properties.remove(key);
                    }
                });
        properties.putIfAbsent(CatalogProperties.METRICS_REPORTER_IMPL, NoReports.class.getName());
        if (!properties.containsKey(CatalogProperties.CATALOG_IMPL)) {
            properties.putIfAbsent(TYPE, CatalogUtil.ICEBERG_CATALOG_TYPE_HADOOP);
        }
        if (CatalogUtil.ICEBERG_CATALOG_TYPE_HADOOP.equals(properties.get(TYPE))) {
            String warehouse = warehouse(properties);
            properties.put(CatalogProperties.WAREHOUSE_LOCATION, warehouse);
            if (warehouse.startsWith("file:")) {
                properties.putIfAbsent(
                        CatalogProperties.LOCK_IMPL, LocalLockManager.class.getName());
            }
        }
        try {
            Catalog catalog = CatalogUtil.buildIcebergCatalog("fluss", properties, configuration);
            return new IcebergLake(catalog);
        } catch (RuntimeException e) {
            throw new StorageException(
                    IcebergErrors.ofOpening(e),
                    "the Iceberg catalog of type "
                            + properties.get(TYPE)
                            + " cannot be opened: "
                            + e.getMessage()
                            + ". Settings given: "
                            + new TreeSet<>(settings.keySet()),
                    e);
        }
    }

    private static String warehouse(Map<String, String> properties) {
        String warehouse = properties.getOrDefault(CatalogProperties.WAREHOUSE_LOCATION, "").trim();
        if (warehouse.isEmpty()) {
            throw new StorageException(
                    ErrorCode.INVALID_OPTION,
                    "an Iceberg lake of type hadoop needs a warehouse, and datalake.iceberg.warehouse"
                            + " is not set; set it to a folder or a URI, for example"
                            + " file:/var/lib/lake");
        }
        boolean plainPath = !warehouse.matches("^[A-Za-z][A-Za-z0-9+.-]*:.*");
        return plainPath ? "file:" + Path.of(warehouse).toAbsolutePath().normalize() : warehouse;
    }
}
