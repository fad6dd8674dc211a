package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeFormatContract;
import io.flinkfluss.lake.LakeFormats;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

class IcebergLakeTest extends LakeFormatContract {
    @TempDir Path folder;

    @Override
    protected LakeCatalog openLake() {
        return LakeFormats.open(
                Map.of("format", "iceberg", "warehouse", folder.resolve("ware house").toString()));
    }
}
