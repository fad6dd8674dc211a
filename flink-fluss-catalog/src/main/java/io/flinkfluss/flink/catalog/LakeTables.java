package io.flinkfluss.flink.catalog;

import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeFormats;
import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;

/** Makes lake tables beside the tables of the storage service. */
final class LakeTables {
    private final TableAdmin admin;
    private final Map<String, String> overrides;

    /**
     * @param overrides options of the catalog such as {@code iceberg.warehouse}, for what the
     *     service does not tell (secrets) or this side sees differently
     */
    LakeTables(TableAdmin admin, Map<String, String> overrides) {
        this.admin = admin;
        this.overrides = overrides;
    }

    /** The lake's settings: the service's, with those of the catalog on top. */
    Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(admin.lakeSettings());
        String prefix = settings.getOrDefault(LakeFormats.FORMAT, "") + ".";
        overrides.forEach(
                (key, value) -> {
                    if (key.startsWith(prefix)) {
                        settings.put(key.substring(prefix.length()), value);
                    }
                });
        return settings;
    }

    /**
     * Makes the table in the service and in the lake. What the lake cannot hold is refused before
     * anything is made; when the lake fails after that, the service's table is dropped again, so
     * that the statement can be repeated.
     */
    void create(TablePath path, TableDescriptor descriptor) {
        Map<String, String> settings = settings();
        checkFormat(path, descriptor, settings);
        try (LakeCatalog lake = LakeFormats.open(settings)) {
            lake.validate(path, descriptor);
            TableInfo table = admin.createTable(path, descriptor);
            try {
                lake.createTable(table);
            } catch (RuntimeException e) {
                try {
                    admin.dropTable(path);
                } catch (RuntimeException f) {
                    e.addSuppressed(f);
                }
                throw e;
            }
        }
    }

    private static void checkFormat(
            TablePath path, TableDescriptor descriptor, Map<String, String> settings) {
        String format = settings.getOrDefault(LakeFormats.FORMAT, "");
        if (format.isEmpty()) {
            throw new ValidationException(
                    String.format(
                            "table %s has 'table.datalake.enabled'='true', but the storage service"
                                    + " has no lake. Start it with -D datalake.format=iceberg and -D"
                                    + " datalake.iceberg.warehouse=<folder or URI>, or leave the"
                                    + " option out",
                            path));
        }
        String asked = descriptor.options().get("table.datalake.format");
        if (asked != null && !asked.equalsIgnoreCase(format)) {
            throw new ValidationException(
                    String.format(
                            "table %s asks for 'table.datalake.format'='%s', but the lake of the"
                                    + " storage service is %s. Use that or leave the option out",
                            path, asked, format));
        }
    }
}
