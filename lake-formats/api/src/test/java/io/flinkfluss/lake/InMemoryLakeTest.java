package io.flinkfluss.lake;

import java.util.Map;
import java.util.UUID;

class InMemoryLakeTest extends LakeFormatContract {
    private final String warehouse = UUID.randomUUID().toString();

    @Override
    protected LakeCatalog openLake() {
        return LakeFormats.open(Map.of("format", "memory", "warehouse", warehouse));
    }
}
