package io.flinkfluss.flink.catalog;

import io.flinkfluss.flink.catalog.options.FlussCatalogOptions;
import io.flinkfluss.flink.options.FlussOptions;
import io.flinkfluss.flink.options.KnownOptions;
import io.flinkfluss.storage.api.error.ClosestName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.factories.CatalogFactory;

/** Makes catalogs of {@code 'type' = 'fluss'}. */
public final class FlussCatalogFactory implements CatalogFactory {
    static final String IDENTIFIER = "fluss";
    private static final String TYPE = "type";

    /** Settings of lakes that the catalog may add to those of the storage service. */
    private static final List<String> LAKE_PREFIXES = List.of("iceberg.", "paimon.");

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(FlussOptions.BOOTSTRAP_SERVERS);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        Set<ConfigOption<?>> optional = new HashSet<>(FlussCatalogOptions.all());
        optional.removeAll(requiredOptions());
        return optional;
    }

    @Override
    public Catalog createCatalog(Context context) {
        Map<String, String> options = new HashMap<>(context.getOptions());
        options.remove(TYPE);
        Map<String, String> lake = new HashMap<>();
        options.forEach(
                (key, value) -> {
                    if (LAKE_PREFIXES.stream().anyMatch(key::startsWith)) {
                        lake.put(key, value);
                    }
                });
        options.keySet().removeAll(lake.keySet());
        checkKnown(context.getName(), options.keySet());
        String defaultDatabase =
                Configuration.fromMap(options).get(FlussCatalogOptions.DEFAULT_DATABASE);
        options.remove(FlussCatalogOptions.DEFAULT_DATABASE.key());
        return new FlussCatalog(
                context.getName(), defaultDatabase, new CatalogSettings(options, lake));
    }

    private static void checkKnown(String catalog, Set<String> keys) {
        List<String> known =
                FlussCatalogOptions.all().stream().map(ConfigOption::key).sorted().toList();
        Set<String> unknown = new TreeSet<>(keys);
        unknown.removeAll(known);
        unknown.removeIf(key -> key.startsWith("client.") && isKnownElsewhere(key));
        KnownOptions.refuseLogins("catalog " + catalog, unknown);
        if (!unknown.isEmpty()) {
            String first = unknown.iterator().next();
            throw new ValidationException(
                    String.format(
                            "catalog %s has the unknown options %s; did you mean '%s'? Known are: type, %s, and the"
                                    + " lake's own settings that begin with %s",
                            catalog,
                            unknown,
                            ClosestName.of(first, known).orElseThrow(),
                            String.join(", ", known),
                            LAKE_PREFIXES));
        }
    }

    private static boolean isKnownElsewhere(String key) {
        try {
            KnownOptions.check("the catalog", Set.of(key));
            return true;
        } catch (ValidationException e) {
            return false;
        }
    }
}
