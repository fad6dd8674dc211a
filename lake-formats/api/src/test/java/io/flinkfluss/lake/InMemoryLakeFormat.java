package io.flinkfluss.lake;

import java.util.Map;

/** The format {@code memory}: an {@link InMemoryLake} in the warehouse of the given name. */
public final class InMemoryLakeFormat implements LakeFormat {
    @Override
    public String name() {
        return "memory";
    }

    @Override
    public LakeCatalog open(Map<String, String> settings) {
        return new InMemoryLake(InMemoryLake.Warehouse.named(settings.get("warehouse")));
    }
}
