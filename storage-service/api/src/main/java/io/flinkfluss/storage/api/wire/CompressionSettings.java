package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableOption;
import java.util.Locale;

/**
 * How a table's batches are compressed.
 *
 * @param zstdLevel 1 to 22; meaningless for other types
 */
public record CompressionSettings(ArrowCompression type, int zstdLevel) {
    public static final CompressionSettings NONE =
            new CompressionSettings(ArrowCompression.NONE, 1);

    public CompressionSettings {
        if (zstdLevel < 1 || zstdLevel > 22) {
            throw new IllegalArgumentException("a ZSTD level is 1 to 22, not " + zstdLevel);
        }
    }

    /** As the table's options say; their values were checked when the table was created. */
    public static CompressionSettings of(TableDescriptor descriptor) {
        return new CompressionSettings(
                ArrowCompression.valueOf(
                        descriptor.option(TableOption.LOG_COMPRESSION).toUpperCase(Locale.ROOT)),
                Integer.parseInt(descriptor.option(TableOption.LOG_ZSTD_LEVEL)));
    }
}
